public import Dispatch
public import Streams

extension URLChain {
    /// Retries a failed request, for any output; see ``RetryNode``.
    ///
    /// - Parameters:
    ///   - policy: decides which errors are retried, how often, and with which delays.
    ///   - repeatsUnsafeMethods: whether methods that are not idempotent, such as POST, are retried too.
    ///   - scheduler: runs the delays.
    public func retry(
        _ policy: RetryPolicy = .transient(), repeatsUnsafeMethods: Bool = false,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Self {
        inserting(
            HTTPMiddleware(
                .retrying(policy, repeatsUnsafeMethods: repeatsUnsafeMethods, scheduler: scheduler), [.ignoresBody, .networkOnly]))
    }

    /// Allows requests to be aborted externally at any stage, even during a refresh of the token and between two attempts, wherever you
    /// write this call.
    public func abortable(by aborter: Aborter) -> Self { changing { $0.aborters.append(aborter) } }

    /// Rejects requests while `breaker` is open. Inside a `retry` each attempt counts. `RetryPolicy.isTransient` distinguishes failures of
    /// the server from others: `CircuitBreaker(..., isFailure: RetryPolicy.isTransient)`.
    public func circuitBreaker(_ breaker: CircuitBreaker) -> Self { guarding("CircuitBreaker") { $1.circuitBreaker(breaker) } }

    /// Delays or rejects requests beyond the limit. Inside a `retry` each attempt takes a token.
    public func rateLimit(_ limiter: RateLimiter) -> Self { guarding("RateLimiter") { $1.rateLimit(limiter) } }

    /// Bounds the number of concurrent requests. Inside a `retry` a request has no permit during the delay between two attempts.
    public func bulkhead(_ bulkhead: Bulkhead) -> Self { guarding("Bulkhead") { $1.bulkhead(bulkhead) } }

    /// Sends a slow request a second time, if its method is idempotent, and uses the response that arrives first. An output that is read
    /// while it is received (events, lines, downloads) is not hedged.
    public func hedge(_ hedging: Hedging) -> Self {
        guarding("Hedging", .wholeResponsesOnly) { $0.mayBeRepeated() ? $1.hedge(hedging) : $1 }
    }

    /// Inserts a policy for sent requests: it changes no request and needs no body.
    private func guarding(
        _ name: String, _ options: HTTPMiddleware.Options = [],
        _ apply: @escaping @Sendable (HTTPRequest, Observable<HTTPResponse>) -> Observable<HTTPResponse>
    ) -> Self {
        inserting(HTTPMiddleware(Step(name) { apply($0, $1($0)) }, options.union([.ignoresBody, .networkOnly])))
    }
}
