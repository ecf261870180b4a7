public import Streams

/// Sets the destination of the request.
///
/// Operator: ``Streams/ObservableType/route(_:)``.
public struct RequestRouterNode<Raw: Sendable, Route: Sendable, Output: Sendable>: Node {
    private let route: Route
    private let next: any Node<RoutedRequest<Raw, Route>, Output>

    /// Creates a node that sends what it gets to `route`, by way of `next`.
    public init(route: Route, next: any Node<RoutedRequest<Raw, Route>, Output>) {
        self.route = route
        self.next = next
    }

    public func stream(_ input: RequestModel<Raw>) -> Observable<Output> {
        next.stream(input.routed(to: route))
    }
}

extension RequestModel {
    func routed<Route: Sendable>(to route: Route) -> RoutedRequest<Raw, Route> {
        RoutedRequest(metadata: metadata, raw: raw, route: route)
    }
}

extension ObservableType {
    /// Emits each request with its destination.
    public func route<Raw, Route: Sendable>(_ route: Route) -> Observable<RoutedRequest<Raw, Route>> where Element == RequestModel<Raw> {
        map { $0.routed(to: route) }
    }
}
