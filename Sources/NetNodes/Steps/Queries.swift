import Foundation
public import Streams

/// Adds a query to the request's URL, in addition to that of the route.
///
/// Operator: ``Streams/ObservableType/query(_:)``.
public struct URLQueryInjectorNode<Raw: Sendable, Output: Sendable>: Node {
    private let query: URLQuery
    private let next: any Node<RoutedRequest<Raw, any URLRouteProvider>, Output>

    /// Creates a node that adds `query` to the route of what it passes to `next`.
    public init(query: URLQuery, next: any Node<RoutedRequest<Raw, any URLRouteProvider>, Output>) {
        self.query = query
        self.next = next
    }

    public func stream(_ input: RoutedRequest<Raw, any URLRouteProvider>) -> Observable<Output> {
        next.stream(input.adding(query))
    }
}

extension RoutedRequest where Route == any URLRouteProvider {
    func adding(_ query: URLQuery) -> Self {
        var request = self
        request.route = QueriedRoute(route: route, query: query)
        return request
    }
}

/// A route with a query added to its URL.
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
        map { $0.adding(query) }
    }
}
