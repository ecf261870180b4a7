import Foundation
public import Streams

extension StepMap {
    /// Adds a query to the URL of a request.
    static func querying<Raw>(_ query: URLQuery) -> StepMap
    where Input == RoutedRequest<Raw, any URLRouteProvider>, Output == RoutedRequest<Raw, any URLRouteProvider> {
        StepMap("URLQueryInjectorNode") { RoutedRequest(metadata: $0.metadata, raw: $0.raw, route: $0.route.adding(query)) }
    }
}

extension URLRouteProvider {
    /// Returns this route with a query added to its URL.
    func adding(_ query: URLQuery) -> any URLRouteProvider { QueriedRoute(route: self, query: query) }
}

private struct QueriedRoute: URLRouteProvider {
    let route: any URLRouteProvider
    let query: URLQuery

    func url() throws -> URL {
        try route.url().adding(query)
    }
}

extension ObservableType {
    /// Emits each request with a query added to its URL.
    public func query<Raw>(_ query: URLQuery) -> Observable<RoutedRequest<Raw, any URLRouteProvider>>
    where Element == RoutedRequest<Raw, any URLRouteProvider> {
        through(.querying(query))
    }
}
