public import Dispatch
public import Streams

/// Returns a closure that tells whether an error is an ``HTTPError`` with one of these statuses.
package func isRefusal(_ statuses: Set<Int>) -> @Sendable (any Error) -> Bool {
    { error in (error as? HTTPError).map { statuses.contains($0.status) } ?? false }
}

extension ObservableType {
    /// Subscribes again, with a new token, after an ``HTTPError`` with one of these statuses.
    public func refreshing(with refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403]) -> Observable<Element> {
        refreshing(with: refresher, when: isRefusal(statuses))
    }
}

extension RetryPolicy {
    /// Returns a policy for requests that retries after transient errors, with exponential backoff, and no sooner than `Retry-After`
    /// allows.
    ///
    /// - Parameters:
    ///   - maxAttempts: the maximum number of attempts, including the first.
    ///   - initial: the delay before the second attempt; it doubles with each further attempt.
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

    /// Returns whether an error is transient: a timeout, a refused or lost connection, or a status of 408, 429, 502, 503 or 504.
    @Sendable
    public static func isTransient(_ error: any Error) -> Bool {
        if let error = error as? HTTPError { return [408, 429, 502, 503, 504].contains(error.status) }
        switch error as? TechnicalError ?? TechnicalError(error) {
        case .timeout, .cantConnectToHost, .connectionLost, .noInternetConnection, .cantFindHost: return true
        case .dataNotAllowed, .secureConnectionFailed, nil: return false
        }
    }
}

extension Step where Input == HTTPRequest, NextInput == HTTPRequest, Output == NextOutput {
    /// Retries a failed request if it and its body may be sent again: `requests.through(.retrying(), to: { transport.response(to: $0) })`.
    ///
    /// - Parameters:
    ///   - policy: decides which errors are retried, how often, and with which delays.
    ///   - repeatsUnsafeMethods: whether methods that are not idempotent, such as POST, are retried too.
    ///   - scheduler: the scheduler that runs the delays.
    public static func retrying(
        _ policy: RetryPolicy = .transient(), repeatsUnsafeMethods: Bool = false,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Step {
        Step("retry") { request, rest in
            request.mayBeRepeated(unsafely: repeatsUnsafeMethods) ? rest(request).retry(policy, scheduler: scheduler) : rest(request)
        }
    }
}

extension HTTPRequest {
    /// Returns whether the request may be sent again, and its body can be sent again.
    func mayBeRepeated(unsafely: Bool = false) -> Bool { (method.isIdempotent || unsafely) && body.isRepeatable }
}
