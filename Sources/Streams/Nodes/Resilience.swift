extension Node {
    /// Processes an input if `breaker` permits it, and reports the outcome to it; see ``ObservableType/circuitBreaker(_:)``.
    public func circuitBreaker(_ breaker: CircuitBreaker) -> AnyNode<Input, Output> {
        named("CircuitBreaker") { stream, _ in stream.circuitBreaker(breaker) }
    }

    /// Processes an input when `limiter` has a token; see ``ObservableType/rateLimit(_:)``.
    public func rateLimit(_ limiter: RateLimiter) -> AnyNode<Input, Output> {
        named("RateLimiter") { stream, _ in stream.rateLimit(limiter) }
    }

    /// Processes an input when `bulkhead` permits it; see ``ObservableType/bulkhead(_:)``.
    public func bulkhead(_ bulkhead: Bulkhead) -> AnyNode<Input, Output> {
        named("Bulkhead") { stream, _ in stream.bulkhead(bulkhead) }
    }

    /// Processes an input a second time if the first attempt takes long; see ``ObservableType/hedge(_:)``.
    public func hedge(_ hedging: Hedging) -> AnyNode<Input, Output> {
        named("Hedging") { stream, _ in stream.hedge(hedging) }
    }

    /// Emits the element that `cache` stores for an input, or processes the input; see ``ObservableType/cacheLatest(_:in:)``.
    public func cacheLatest(in cache: LatestCache<Input, Output>) -> AnyNode<Input, Output> where Input: Hashable {
        named("LatestCache") { $0.cacheLatest($1, in: cache) }
    }

    /// Processes concurrent equal inputs once; see ``ObservableType/collapse(_:in:)``.
    public func collapse(in collapser: Collapser<Input, Output>) -> AnyNode<Input, Output> where Input: Hashable {
        named("Collapser") { $0.collapse($1, in: collapser) }
    }

    /// Returns this node, followed by the operator whose policy has that name.
    private func named(
        _ policy: String, _ apply: @escaping @Sendable (Observable<Output>, Input) -> Observable<Output>
    ) -> AnyNode<Input, Output> {
        let names = [policy, (self as? any CustomStringConvertible)?.description ?? "\(type(of: self))"]
        return .cold(names: names, delivery: delivery) { input in apply(stream(input), input) }
    }
}
