public import Dispatch
public import Streams

extension RetryPolicy {
    /// Returns a policy for requests: retries after transient errors, with exponential backoff, and no sooner than `Retry-After` allows.
    ///
    /// - Parameters:
    ///   - maxAttempts: the maximum number of attempts, including the first.
    ///   - initial: the delay before the second attempt; it doubles with each further one.
    ///   - cap: the maximum delay of the backoff.
    ///   - jitter: the random part of each delay, between 0 and 1.
    ///   - limit: the maximum duration of all attempts and delays together.
    public static func transient(
        maxAttempts: Int = 3, initial: Duration = .milliseconds(200), cap: Duration = .seconds(10), jitter: Double = 0.5,
        limit: Duration? = .seconds(60)
    ) -> RetryPolicy {
        var policy = RetryPolicy.exponential(initial: initial, cap: cap, jitter: jitter, maxAttempts: maxAttempts).when(isTransient)
        policy.suggestedDelay = { ($0 as? HTTPError)?.retryAfter }
        policy.limit = limit
        return policy
    }

    /// Whether an error is transient: timeouts, refused and lost connections, and statuses 408, 429, 502, 503, 504.
    @Sendable
    public static func isTransient(_ error: any Error) -> Bool {
        if let error = error as? HTTPError { return [408, 429, 502, 503, 504].contains(error.status) }
        switch error as? TechnicalError ?? TechnicalError(error) {
        case .timeout, .cantConnectToHost, .connectionLost, .noInternetConnection, .cantFindHost: return true
        case .dataNotAllowed, .secureConnectionFailed, nil: return false
        }
    }
}

/// Retries a failed request if it may be repeated.
///
/// Operator: `retry(_:scheduler:)`.
public struct RetryNode<Output: Sendable>: Node {
    private let policy: RetryPolicy
    private let repeatsUnsafeMethods: Bool
    private let scheduler: any Scheduler
    private let next: any Node<HTTPRequest, Output>

    /// - Parameters:
    ///   - policy: decides which errors are retried, how often, and with which delays.
    ///   - repeatsUnsafeMethods: whether methods that are not idempotent, such as POST, are retried too.
    ///   - scheduler: runs the delays.
    ///   - next: sends the request.
    public init(
        policy: RetryPolicy = .transient(), repeatsUnsafeMethods: Bool = false,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated), next: any Node<HTTPRequest, Output>
    ) {
        self.policy = policy
        self.repeatsUnsafeMethods = repeatsUnsafeMethods
        self.scheduler = scheduler
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        guard input.method.isIdempotent || repeatsUnsafeMethods else { return next.stream(input) }
        return next.stream(input).retry(policy, scheduler: scheduler)
    }
}

extension URLChain {
    /// Retries a failed request; see ``RetryNode``.
    ///
    /// - Parameters:
    ///   - policy: decides which errors are retried, how often, and with which delays.
    ///   - repeatsUnsafeMethods: whether methods that are not idempotent, such as POST, are retried too.
    ///   - scheduler: runs the delays.
    public func retry(
        _ policy: RetryPolicy = .transient(), repeatsUnsafeMethods: Bool = false,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Self {
        guarding("RetryNode") { request, responses in
            request.method.isIdempotent || repeatsUnsafeMethods ? responses.retry(policy, scheduler: scheduler) : responses
        }
    }

    /// Allows requests to be aborted externally.
    public func abortable(by aborter: Aborter) -> Self {
        inserting(HTTPMiddleware.cold("AborterNode", .ignoresBody) { $1($0).abortable(by: aborter) })
    }

    /// Rejects requests while `breaker` is open. Inside a `retry` each attempt counts; `RetryPolicy.isTransient` tells the server's failures
    /// from others: `CircuitBreaker(..., isFailure: RetryPolicy.isTransient)`.
    public func circuitBreaker(_ breaker: CircuitBreaker) -> Self { guarding("CircuitBreaker") { $1.circuitBreaker(breaker) } }

    /// Delays or rejects requests beyond the limit. Inside a `retry` each attempt takes a token.
    public func rateLimit(_ limiter: RateLimiter) -> Self { guarding("RateLimiter") { $1.rateLimit(limiter) } }

    /// Bounds the number of concurrent requests. Inside a `retry` a request has no permit during the delay between two attempts.
    public func bulkhead(_ bulkhead: Bulkhead) -> Self { guarding("Bulkhead") { $1.bulkhead(bulkhead) } }

    /// Sends a slow request a second time, if its method is idempotent, and uses the response that arrives first. An output that is read
    /// while it is received (events, lines, downloads) is not hedged.
    public func hedge(_ hedging: Hedging) -> Self {
        guarding("Hedging", .wholeResponsesOnly) { $0.method.isIdempotent ? $1.hedge(hedging) : $1 }
    }

    /// Inserts a policy for what is sent: it changes no request and needs no body.
    private func guarding(
        _ name: String, _ options: HTTPMiddleware.Options = [],
        _ apply: @escaping @Sendable (HTTPRequest, Observable<HTTPResponse>) -> Observable<HTTPResponse>
    ) -> Self {
        inserting(HTTPMiddleware.cold(name, options.union([.ignoresBody, .networkOnly])) { apply($0, $1($0)) })
    }
}
