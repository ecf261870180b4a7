import Foundation
public import Streams

extension StepMap {
    /// Adds a query to the URL of a request; fails with the error of one that could not be encoded.
    static func querying<Raw>(_ query: Result<URLQuery, any Error>) -> StepMap
    where Input == RoutedRequest<Raw, any URLRouteProvider>, Output == RoutedRequest<Raw, any URLRouteProvider> {
        StepMap("URLQueryInjectorNode") { request in
            var request = request
            request.route = QueriedRoute(route: request.route, query: try query.get())
            return request
        }
    }
}

/// A route whose URL has a query added.
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
        through(.querying(.success(query)))
    }
}
