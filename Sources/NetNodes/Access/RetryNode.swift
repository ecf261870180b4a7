public import Dispatch
public import Streams

extension RetryPolicy {
    /// For requests: after errors that may be gone at the next attempt, with waits that double, and no sooner than `Retry-After` asks for.
    ///
    /// - Parameters:
    ///   - maxAttempts: how many attempts there are in all, the first included.
    ///   - initial: the wait before the second attempt; it doubles with each further one.
    ///   - cap: the longest wait that doubling leads to.
    ///   - jitter: the part of each wait that is left to chance, between 0 and 1.
    ///   - limit: how long all attempts and waits together may take.
    public static func transient(
        maxAttempts: Int = 3, initial: Duration = .milliseconds(200), cap: Duration = .seconds(10), jitter: Double = 0.5,
        limit: Duration? = .seconds(60)
    ) -> RetryPolicy {
        var policy = RetryPolicy.exponential(initial: initial, cap: cap, jitter: jitter, maxAttempts: maxAttempts).when(isTransient)
        policy.suggestedDelay = { ($0 as? HTTPError)?.retryAfter }
        policy.limit = limit
        return policy
    }

    /// Errors that may well be gone at the next attempt: timeouts, refused and lost connections, and statuses 408, 429, 502, 503, 504.
    @Sendable
    public static func isTransient(_ error: any Error) -> Bool {
        if let error = error as? HTTPError { return [408, 429, 502, 503, 504].contains(error.status) }
        switch error as? TechnicalError ?? TechnicalError(error) {
        case .timeout, .cantConnectToHost, .connectionLost, .noInternetConnection, .cantFindHost: return true
        case .dataNotAllowed, .secureConnectionFailed, nil: return false
        }
    }
}

/// Sends a request again when it failed and may be repeated.
///
/// Operator: ``Streams/ObservableType/retry(_:scheduler:)``.
public struct RetryNode<Output: Sendable>: Node {
    private let policy: RetryPolicy
    private let repeatsUnsafeMethods: Bool
    private let scheduler: any Scheduler
    private let next: any Node<HTTPRequest, Output>

    /// - Parameters:
    ///   - policy: after which errors, how often, and how long it waits.
    ///   - repeatsUnsafeMethods: whether methods that do something each time they are sent, such as POST, are sent again too.
    ///   - scheduler: where the waits are timed.
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
