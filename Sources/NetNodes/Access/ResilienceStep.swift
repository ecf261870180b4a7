public import Streams

extension URLChain {
    /// Rejects requests while `breaker` is open. Inside a `retry` each attempt counts; `RetryPolicy.isTransient` tells the server's failures
    /// from others: `CircuitBreaker(..., isFailure: RetryPolicy.isTransient)`.
    public func circuitBreaker(_ breaker: CircuitBreaker) -> Self { inserting(ResilienceStep(policy: .circuitBreaker(breaker))) }

    /// Delays or rejects requests beyond the limit. Inside a `retry` each attempt takes a token.
    public func rateLimit(_ limiter: RateLimiter) -> Self { inserting(ResilienceStep(policy: .rateLimiter(limiter))) }

    /// Bounds the number of concurrent requests. Inside a `retry` a request has no permit during the delay between two attempts.
    public func bulkhead(_ bulkhead: Bulkhead) -> Self { inserting(ResilienceStep(policy: .bulkhead(bulkhead))) }

    /// Sends a slow request a second time, if its method is idempotent, and uses the response that arrives first.
    public func hedge(_ hedging: Hedging) -> Self { inserting(ResilienceStep(policy: .hedging(hedging))) }
}

/// A policy that the requests of a service share.
struct ResilienceStep: RequestStep {
    enum Policy {
        case circuitBreaker(CircuitBreaker)
        case rateLimiter(RateLimiter)
        case bulkhead(Bulkhead)
        case hedging(Hedging)
    }

    let policy: Policy

    var name: String {
        switch policy {
        case .circuitBreaker: "CircuitBreaker"
        case .rateLimiter: "RateLimiter"
        case .bulkhead: "Bulkhead"
        case .hedging: "Hedging"
        }
    }

    func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
        switch policy {
        case .circuitBreaker(let breaker): next.circuitBreaker(breaker)
        case .rateLimiter(let limiter): next.rateLimit(limiter)
        case .bulkhead(let bulkhead): next.bulkhead(bulkhead)
        case .hedging(let hedging):
            AnyNode<HTTPRequest, Output>.cold { request in
                request.method.isIdempotent ? next.stream(request).hedge(hedging) : next.stream(request)
            }
        }
    }
}
