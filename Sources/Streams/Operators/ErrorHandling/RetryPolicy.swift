import Foundation
import Schedulers

/// When a failed stream is subscribed again, and how often: the one policy of streams, contexts and nodes.
///
/// ```swift
/// request.retry(.exponential(initial: .milliseconds(200), maxAttempts: 5))
/// ```
public struct RetryPolicy: Sendable {
    /// How many attempts there are in all, the first included; fewer than one are taken as one.
    public var maxAttempts: Int
    /// The longest wait before an attempt.
    public var cap: Duration
    /// The part of each wait that is left to chance: 0 is none, 1 lets it be anything from nothing to the full wait. What is less or more is
    /// taken as these, `nan` as 0.
    public var jitter: Double
    /// How long all attempts and waits together may take: no attempt starts after it. Nil is no limit.
    public var limit: Duration?
    /// Whether an error is worth another attempt; by default every one is.
    public var shouldRetry: @Sendable (any Error) -> Bool = { _ in true }
    /// The least wait that an error asks for itself, such as a server's `Retry-After`; by default none does. Neither cap nor jitter shortens it.
    public var suggestedDelay: @Sendable (any Error) -> Duration? = { _ in nil }
    /// Where chance comes from: a number from 0 to 1; others are taken as with `jitter`.
    public var random: @Sendable () -> Double = { .random(in: 0...1) }
    /// Seconds before the attempt after the given number of failures, before cap and jitter.
    private let wait: @Sendable (Int) -> Double

    private init(maxAttempts: Int, cap: Duration, jitter: Double, _ wait: @escaping @Sendable (Int) -> Double) {
        self.maxAttempts = maxAttempts
        self.cap = cap
        self.jitter = jitter
        self.wait = wait
    }

    /// Waits as long before each attempt.
    public static func delay(_ delay: Duration, maxAttempts: Int) -> RetryPolicy {
        RetryPolicy(maxAttempts: maxAttempts, cap: delay, jitter: 0) { _ in delay / .seconds(1) }
    }

    /// Waits `step` before the second attempt, and `step` longer before each further one, at most `cap`.
    public static func linear(
        step: Duration, cap: Duration = .seconds(60), jitter: Double = 0, maxAttempts: Int
    ) -> RetryPolicy {
        RetryPolicy(maxAttempts: maxAttempts, cap: cap, jitter: jitter) { failures in (step / .seconds(1)) * Double(failures) }
    }

    /// Waits `initial` before the second attempt, and `factor` times as long before each further one, at most `cap`.
    ///
    /// By default half of each wait is left to chance, so that many clients do not come back at once.
    public static func exponential(
        initial: Duration, factor: Double = 2, cap: Duration = .seconds(60), jitter: Double = 0.5, maxAttempts: Int
    ) -> RetryPolicy {
        RetryPolicy(maxAttempts: maxAttempts, cap: cap, jitter: jitter) { failures in
            (initial / .seconds(1)) * pow(factor, Double(failures) - 1)
        }
    }

    /// This policy, for the errors only for which `predicate` is true; other errors go on at once.
    public func when(_ predicate: @escaping @Sendable (any Error) -> Bool) -> RetryPolicy {
        var policy = self
        policy.shouldRetry = predicate
        return policy
    }

    /// How long to wait after so many failures, never less than nothing; nil if `error` is not to be followed by another attempt.
    ///
    /// - Parameter elapsed: since the first attempt started.
    public func delay(after error: any Error, failures: Int, elapsed: Duration = .zero) -> Duration? {
        guard failures < maxAttempts, shouldRetry(error) else { return nil }
        let longest = max(0, min(wait(failures), cap / .seconds(1)))
        let backoff = Duration(clampingSeconds: longest * (1 - Self.part(jitter) * Self.part(random())))
        let delay = max(backoff, (suggestedDelay(error) ?? .zero).clamped)
        guard let limit else { return delay }
        return elapsed.clamped + delay <= limit ? delay : nil
    }

    /// `value`, or the nearest number from 0 to 1.
    private static func part(_ value: Double) -> Double {
        value.isNaN ? 0 : min(max(value, 0), 1)
    }
}

extension ObservableType {
    /// Subscribes again after an error as `policy` says: after which errors, how often, and how long it waits, on `scheduler`.
    ///
    /// ```swift
    /// request.retry(.delay(.seconds(2), maxAttempts: 2), scheduler: scheduler)
    /// // --1#
    /// // --1----1#
    /// ```
    ///
    /// Upstream is disposed before the wait. The error of the last attempt is emitted unchanged. The log of an operation notes each wait.
    /// However many attempts there are, they take constant memory and stack.
    /// Source: [ReactiveX, Retry](https://reactivex.io/documentation/operators/retry.html).
    public func retry(
        _ policy: RetryPolicy, scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let log = NodeLog(lifetime.scope)
            let start = scheduler.now
            let failures = SerialState(0)
            SequenceSubscriber(downstream, lifetime).start(source) { event in
                guard case .error(let error) = event else { return nil }
                failures.value += 1
                let elapsed = scheduler.now - start
                guard let delay = policy.delay(after: error, failures: failures.value, elapsed: elapsed) else { return nil }
                log.note(.info, "RetryNode", failure(failures.value, error, delay))
                return .next(delay > .zero ? source.delaySubscription(delay, scheduler: scheduler) : source)
            }
        }
    }
}

/// What the log says of an attempt that another one follows.
private func failure(_ count: Int, _ error: any Error, _ delay: Duration) -> String {
    "attempt \(count) failed, the next follows in \(delay.forPeople): \(redactedDescription(of: error))"
}
