import Foundation
public import Streams

/// When a request that failed is sent again.
public struct RetryPolicy: Sendable {
    /// How often it is sent in all, the first time included.
    public var attempts: Int
    /// The wait before the second attempt; it doubles with each further one.
    public var delay: Duration
    /// The longest wait that doubling leads to.
    public var maximumDelay: Duration
    /// The part of each wait that is left to chance, between 0 and 1, so that many clients do not come back at the same moment. What is less
    /// or more is taken as these, `nan` as 0.
    public var jitter: Double
    /// How long all attempts and waits together may take: no attempt begins after.
    public var limit: Duration
    /// Whether methods that do something each time they are sent, such as POST, are sent again too.
    public var repeatsUnsafeMethods: Bool
    /// Which errors are worth another attempt.
    public var isWorthRetrying: @Sendable (any Error) -> Bool
    /// Where the waits are timed.
    public var scheduler: any Scheduler

    public init(
        attempts: Int = 3, delay: Duration = .milliseconds(200), maximumDelay: Duration = .seconds(10), jitter: Double = 0.5,
        limit: Duration = .seconds(60), repeatsUnsafeMethods: Bool = false,
        isWorthRetrying: @escaping @Sendable (any Error) -> Bool = RetryPolicy.isTransient,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        self.attempts = attempts
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.jitter = jitter
        self.limit = limit
        self.repeatsUnsafeMethods = repeatsUnsafeMethods
        self.isWorthRetrying = isWorthRetrying
        self.scheduler = scheduler
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

    /// The wait before the next attempt, or `nil` if there shall be none.
    ///
    /// - Parameters:
    ///   - count: attempts that have failed.
    ///   - elapsed: since the first attempt began.
    ///   - chance: between 0 and 1.
    func wait(after error: any Error, count: Int, elapsed: Duration, chance: Double) -> Duration? {
        guard count < attempts, isWorthRetrying(error) else { return nil }
        let backoff = min(delay.clamped * (1 << min(max(count, 1) - 1, 30)), maximumDelay.clamped)
        let part = jitter.isNaN ? 0 : min(max(jitter, 0), 1)
        // `Duration` times a `Double` stops the program where the product is large.
        let shortened = Duration(clampingSeconds: backoff / .seconds(1) * (1 - part * chance))
        let wait = max(shortened, ((error as? HTTPError)?.retryAfter ?? .zero).clamped)
        return elapsed + wait <= limit ? wait : nil
    }
}

extension ObservableType {
    /// Subscribes again after an error, as the policy says; an error that is not worth it passes. However many attempts there are, one is
    /// held at a time.
    public func retry(_ policy: RetryPolicy) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            let start = policy.scheduler.now
            return source.retry(when: { errors in
                errors.enumerated().concatMap { index, error in
                    let count = index + 1
                    let elapsed = policy.scheduler.now - start
                    guard let wait = policy.wait(after: error, count: count, elapsed: elapsed, chance: .random(in: 0...1)) else {
                        throw error
                    }
                    log.note(
                        .info, "RetryNode",
                        "attempt \(count) failed, the next follows in \(wait.forPeople): \(redactedDescription(of: error))")
                    return Observable<Int>.timer(wait, scheduler: policy.scheduler)
                }
            })
        }
    }
}

/// Sends a request again when it failed and may be repeated: idempotent methods only, unless the policy says otherwise.
///
/// Operator: ``Streams/ObservableType/retry(_:)``.
public struct RetryNode<Output: Sendable>: Node {
    private let policy: RetryPolicy
    private let next: any Node<HTTPRequest, Output>

    public init(policy: RetryPolicy = RetryPolicy(), next: any Node<HTTPRequest, Output>) {
        self.policy = policy
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        guard input.method.isIdempotent || policy.repeatsUnsafeMethods else { return next.stream(input) }
        return next.stream(input).retry(policy)
    }
}
