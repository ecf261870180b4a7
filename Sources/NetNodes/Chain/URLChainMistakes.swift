// Calls in an order that a chain does not have, so that the compiler can name the right order.
import Streams

extension URLChain where Stage == Unrouted {
    /// A chain without a route has no output.
    @available(*, unavailable, message: "the chain has no route: write route(_:_:) first")
    public func output<Output>(_ type: Output.Type) -> AnyNode<Input, Output> { unavailable() }
}

extension URLChain {
    /// A value that has no form in a query.
    @available(*, unavailable, message: "the values of a query are Encodable and Sendable")
    public func query(_ values: KeyValuePairs<String, Any>) -> Self { unavailable() }

    /// The name of the operator.
    @available(*, unavailable, message: "a chain refreshes its access: refreshingAccess(with:on:)")
    public func refreshing(with refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403]) -> Self { unavailable() }

    /// A number of attempts without a policy.
    @available(*, unavailable, message: "attempts belong to a policy: retry(.transient(maxAttempts: 3))")
    public func retry(_ maxAttempts: Int) -> Self { unavailable() }

    /// A chain without an output.
    @available(*, unavailable, message: "write output(_:) first, which gives a node, and then stream()")
    public func stream() -> Observable<Input> { unavailable() }
}

extension AnyNode {
    /// Nodes are not streams.
    @available(*, unavailable, message: "a node sends when its stream is subscribed to: write stream().subscribe(onNext:)")
    public func subscribe(
        onNext: (@Sendable (Output) -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable { unavailable() }

    /// The settings of a request precede its output.
    @available(*, unavailable, message: "a setting of the request: write it before output(_:)")
    public func route(_ method: HTTPRequest.Method, _ route: any URLRouteProvider) -> Self { unavailable() }

    /// The settings of a request precede its output.
    @available(*, unavailable, message: "a setting of the request: write it before output(_:)")
    public func query(_ values: JSON) -> Self { unavailable() }

    /// The settings of a request precede its output.
    @available(*, unavailable, message: "a setting of the request: write it before output(_:)")
    public func headers(_ headers: HTTPHeaders) -> Self { unavailable() }

    /// The settings of a request precede its output.
    @available(*, unavailable, message: "a setting of the request: write it before output(_:)")
    public func timeout(_ total: Duration) -> Self { unavailable() }

    /// The settings of a request precede its output.
    @available(*, unavailable, message: "a setting of the request: write it before output(_:)")
    public func retry(_ policy: RetryPolicy = .transient()) -> Self { unavailable() }
}
