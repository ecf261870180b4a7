import Foundation
import Schedulers

/// Decides when a failed stream is subscribed to again, and how often: the policy of streams, contexts and nodes.
///
/// ```swift
/// request.retry(.exponential(initial: .milliseconds(200), maxAttempts: 5))
/// ```
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, including the first; fewer than one are treated as one.
    public var maxAttempts: Int
    /// The maximum delay before an attempt.
    public var cap: Duration
    /// The random part of each delay: 0 means none, 1 means any delay from zero to the full one. Other values are clamped, and `nan` is 0.
    public var jitter: Double
    /// The maximum duration of all attempts and delays together; no attempt starts after it. `nil` means no limit.
    public var limit: Duration?
    /// Returns whether an error should be retried; by default every error. It is not called for ``Aborter/OperationAborted``, which is
    /// final.
    public var shouldRetry: @Sendable (any Error) -> Bool = { _ in true }
    /// Returns the minimum delay that an error requests, such as a server's `Retry-After`; by default none. Neither `cap` nor `jitter`
    /// reduces it.
    public var suggestedDelay: @Sendable (any Error) -> Duration? = { _ in nil }
    /// The source of randomness, which returns a number from 0 to 1. Other numbers are clamped as for `jitter`.
    public var random: @Sendable () -> Double = {
        var generator = CurrentRandomNumberGenerator()
        return .random(in: 0...1, using: &generator)
    }
    /// Returns the delay in seconds after this number of failures, before cap and jitter.
    private let wait: @Sendable (Int) -> Double

    /// Returns a policy with a constant delay.
    public static func delay(_ delay: Duration, maxAttempts: Int) -> RetryPolicy {
        RetryPolicy(maxAttempts: maxAttempts, cap: delay, jitter: 0, wait: { _ in delay / .seconds(1) })
    }

    /// Returns a policy with a delay that starts at `step` and grows by `step` with each attempt, up to `cap`.
    public static func linear(
        step: Duration, cap: Duration = .seconds(60), jitter: Double = 0, maxAttempts: Int
    ) -> RetryPolicy {
        RetryPolicy(maxAttempts: maxAttempts, cap: cap, jitter: jitter, wait: { failures in (step / .seconds(1)) * Double(failures) })
    }

    /// Returns a policy with a delay that starts at `initial` and is multiplied by `factor` with each attempt, up to `cap`.
    ///
    /// By default half of each delay is random, so that many clients do not retry at once.
    public static func exponential(
        initial: Duration, factor: Double = 2, cap: Duration = .seconds(60), jitter: Double = 0.5, maxAttempts: Int
    ) -> RetryPolicy {
        RetryPolicy(
            maxAttempts: maxAttempts, cap: cap, jitter: jitter,
            wait: { failures in (initial / .seconds(1)) * pow(factor, Double(failures) - 1) })
    }

    /// Returns this policy restricted to errors that satisfy `predicate`; other errors are forwarded immediately.
    public func when(_ predicate: @escaping @Sendable (any Error) -> Bool) -> RetryPolicy {
        var policy = self
        policy.shouldRetry = predicate
        return policy
    }

    /// Returns the delay after this number of failures, never negative; `nil` if `error` should not be retried.
    ///
    /// - Parameters:
    ///   - error: the error of the last attempt.
    ///   - failures: how many attempts have failed.
    ///   - elapsed: the time since the first attempt started.
    public func delay(after error: any Error, failures: Int, elapsed: Duration = .zero) -> Duration? {
        guard failures < maxAttempts, !Aborter.OperationAborted.isError(error), shouldRetry(error) else { return nil }
        let longest = max(0, min(wait(failures), cap / .seconds(1)))
        let backoff = Duration(clampingSeconds: longest * (1 - Self.part(jitter) * Self.part(random())))
        let delay = max(backoff, (suggestedDelay(error) ?? .zero).clamped)
        guard let limit else { return delay }
        return elapsed.clamped + delay <= limit ? delay : nil
    }

    /// Returns `value` clamped to 0...1.
    private static func part(_ value: Double) -> Double {
        value.isNaN ? 0 : min(max(value, 0), 1)
    }
}

extension ObservableType {
    /// Subscribes again after an error as `policy` defines: for which errors, how often, and with which delays, on `scheduler`.
    ///
    /// ```swift
    /// request.retry(.delay(.seconds(2), maxAttempts: 2), scheduler: scheduler)
    /// // --1#
    /// // --1----1#
    /// ```
    ///
    /// Upstream is disposed before the delay. The error of the last attempt is emitted unchanged. Each delay is logged in the log of the
    /// operation. Memory and stack are constant, however many attempts there are.
    /// Source: [ReactiveX, Retry](https://reactivex.io/documentation/operators/retry.html).
    @inlinable
    public func retry(
        _ policy: RetryPolicy, scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let attempts = Attempts(policy, scheduler, lifetime)
            SequenceSubscriber(downstream, lifetime) { event in
                guard case .error(let error) = event, let delay = attempts.delay(after: error) else { return nil }
                return .next(delay > .zero ? source.delaySubscription(delay, scheduler: scheduler) : source)
            }.subscribe(to: source)
        }
    }
}

/// The failed attempts of one subscription.
@usableFromInline
final class Attempts: @unchecked Sendable {
    private let policy: RetryPolicy
    private let scheduler: any Scheduler
    private let log: OperationLog.Notes
    private let start: Duration
    // Law 2: one attempt fails at a time.
    private var failures = 0

    @usableFromInline
    init(_ policy: RetryPolicy, _ scheduler: any Scheduler, _ lifetime: Lifetime) {
        (self.policy, self.scheduler) = (policy, scheduler)
        log = OperationLog.Notes(lifetime.scope)
        start = scheduler.now
    }

    /// Returns the time until the next attempt, and notes it in the log; `nil` if there is none.
    @usableFromInline
    func delay(after error: any Error) -> Duration? {
        failures += 1
        let elapsed = scheduler.now - start
        guard let delay = policy.delay(after: error, failures: failures, elapsed: elapsed) else { return nil }
        let next = "the next follows in \(delay.displayText)"
        log.note(.info, "retry", "attempt \(failures) failed, \(next): \(redactedDescription(of: error))")
        return delay
    }
}
