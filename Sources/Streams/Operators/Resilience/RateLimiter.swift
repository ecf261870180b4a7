import Foundation
import Schedulers

/// Limits how many subscriptions start within a period: a token bucket.
///
/// ```swift
/// let limiter = RateLimiter(10, per: .seconds(1), burst: 20, maxWait: .seconds(2))
/// let answer = request.rateLimit(limiter)
/// limiter.metrics.subscribe(onNext: { print("\($0.tokens) tokens, \($0.queued) queued") }).disposed(by: bag)
/// ```
///
/// Each subscription takes a token. The bucket holds up to `burst` tokens and is refilled continuously. If there is no token, a
/// subscription waits for its own, after those that came before it, unless that takes longer than `maxWait`: then it is rejected
/// immediately. So the queue never holds more than the bucket refills in that time. All requests that the limit is meant for share one
/// limiter. You can use it from any thread. Source: [Wikipedia, Token bucket](https://en.wikipedia.org/wiki/Token_bucket).
public final class RateLimiter: Sendable {
    /// The figures of a rate limiter.
    public struct Metrics: Equatable, Sendable {
        /// The number of tokens in the bucket when the figures last changed.
        public let tokens: Int
        /// The number of subscriptions that wait for a token.
        public let queued: Int
        /// The number of subscriptions that have taken a token.
        public let permitted: Int
        /// The number of subscriptions that have been rejected.
        public let rejected: Int
    }

    private struct State {
        var bucket: TokenBucket
        var queue = TicketQueue<PermitRequest>()
        var permitted = 0
        var rejected = 0
        var changed: Duration

        func metrics(at now: Duration) -> Metrics {
            Metrics(tokens: bucket.tokens(at: now), queued: queue.count, permitted: permitted, rejected: rejected)
        }

        mutating func take(at now: Duration) -> Bool {
            guard bucket.take(at: now) else { return false }
            permitted += 1
            return true
        }
    }

    private let state: MeasuredState<State>
    private let limit: Int
    private let period: Duration
    private let maxWait: Duration
    private let scheduler: any Scheduler
    /// Plans the timer for the first subscription in the queue, each time for the current queue.
    private let planning = Serializer()
    private let timer = SerialDisposable()

    /// Creates a limiter with a full bucket.
    ///
    /// - Parameters:
    ///   - limit: how many subscriptions may start in `period`, on average; values below one are treated as one.
    ///   - period: the time that refills `limit` tokens; if it is not positive, there is no limit.
    ///   - burst: how many may start at once after a quiet time, by default `limit`; values below one are treated as one.
    ///   - maxWait: the longest time in the queue; if it is zero or negative, nothing is queued.
    ///   - scheduler: the scheduler that measures the time, and on which queued subscriptions start.
    public init(
        _ limit: Int, per period: Duration, burst: Int? = nil, maxWait: Duration = .zero,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        self.limit = max(1, limit)
        self.period = max(.zero, period.clamped)
        self.maxWait = max(.zero, maxWait)
        self.scheduler = scheduler
        let bucket = TokenBucket(capacity: max(1, burst ?? limit), interval: self.period / self.limit)
        state = MeasuredState(State(bucket: bucket, changed: scheduler.now))
        Probe.shown(self, as: "RateLimiter") { Probe.Facts($0.figures) }
    }

    /// The current figures, and then each change by a subscription, on the thread of the change. Never terminates.
    public var metrics: Observable<Metrics> { state.figures { $0.metrics(at: $0.changed) } }

    /// The current figures.
    public var currentMetrics: Metrics {
        let now = scheduler.now
        return state.read { $0.metrics(at: now) }
    }
}

extension RateLimiter: PermitIssuer {
    private enum Answer {
        case granted, over
        case queued(isFirst: Bool)
        case rejected(retryAfter: Duration)
    }

    @usableFromInline
    var limitsQueueTime: Bool { false }

    @usableFromInline
    var figures: String {
        let metrics = currentMetrics
        return "\(metrics.tokens) tokens, \(metrics.queued) queued, \(metrics.permitted) permitted, \(metrics.rejected) rejected"
    }

    @usableFromInline
    func receive(_ request: PermitRequest) {
        let now = scheduler.now
        switch state.update({ admit(request, &$0, at: now) }) {
        case .granted: request.begin()
        case .queued(let isFirst): if isFirst { plan() }
        case .rejected(let wait): request.reject(with: Failure.exceeded(limit: limit, period: period, retryAfter: wait))
        case .over: break
        }
    }

    private func admit(_ request: PermitRequest, _ state: inout State, at now: Duration) -> Answer {
        guard case .requested = request.stage else { return .over }
        state.changed = now
        if state.queue.isEmpty, state.take(at: now) {
            request.stage = .granted
            return .granted
        }
        let wait = state.bucket.wait(at: now, behind: state.queue.count)
        guard wait <= maxWait else {
            state.rejected += 1
            request.stage = .over
            return .rejected(retryAfter: wait)
        }
        defer { state.queue.enqueue(request) }
        return .queued(isFirst: state.queue.isEmpty)
    }

    @usableFromInline
    func free(_ request: PermitRequest) -> PermitRequest? {
        let now = scheduler.now
        let removed = state.update { state -> PermitRequest? in
            defer { request.stage = .over }
            guard case .queued(let ticket) = request.stage else { return nil }
            state.changed = now
            return state.queue.remove(ticket: ticket)
        }
        if removed != nil { plan() }
        return nil
    }

    private func plan() {
        planning.enqueue { [self] in
            let now = scheduler.now
            let wait = state.read { $0.queue.isEmpty ? nil : $0.bucket.wait(at: now, behind: 0) }
            timer.disposable = wait.map { scheduler.schedule(after: $0) { [self] in grantDue() } }
        }
    }

    /// Starts the subscriptions whose tokens are there. The others stay in the queue, so an early call does no harm.
    private func grantDue() {
        let now = scheduler.now
        let due = state.update { state -> [PermitRequest] in
            var due: [PermitRequest] = []
            state.changed = now
            while !state.queue.isEmpty, state.take(at: now), let next = state.queue.grantFirst() { due.append(next) }
            return due
        }
        plan()
        for request in due { request.begin() }
    }
}

/// A token bucket as the time at which it will be full: exact, without a timer, and without drift.
struct TokenBucket {
    private let capacity: Int
    /// The time that refills one token.
    private let interval: Duration
    /// The time that refills all tokens but one.
    private let tolerance: Duration
    private var full: Duration?

    init(capacity: Int, interval: Duration) {
        self.capacity = capacity
        self.interval = interval
        let isEndless = Double(capacity - 1) * (interval / .seconds(1)) >= 9e9
        tolerance = isEndless ? Duration.seconds(Int64.max).clamped : interval.times(capacity - 1)
    }

    mutating func take(at now: Duration) -> Bool {
        guard wait(at: now, behind: 0) == .zero else { return false }
        full = max(full ?? now, now) + interval
        return true
    }

    /// Returns the time until a token is free for a subscription behind `others`.
    func wait(at now: Duration, behind others: Int) -> Duration {
        let missing = max((full ?? now) - now, .zero)
        return max(.zero, missing + interval.times(others) - tolerance)
    }

    func tokens(at now: Duration) -> Int {
        guard interval > .zero, let full, full > now else { return capacity }
        // A quotient of multiples may be off by the last digit.
        let missing = ((full - now) / interval - 1e-9).rounded(.up)
        return missing < Double(capacity) ? capacity - Int(missing) : 0
    }
}

extension Duration {
    /// This duration, multiplied. The operator of the standard library is generic, and looks the type of its factor up.
    fileprivate func times(_ factor: Int) -> Duration { Duration(attoseconds: attoseconds * Int128(factor)) }
}

extension RateLimiter {
    /// The reason why a rate limiter rejected a subscription.
    public enum Failure: RedactedError, Equatable {
        /// The limit per period, and the time after which there would be a token.
        case exceeded(limit: Int, period: Duration, retryAfter: Duration)

        /// The time after which there would be a token, for `RetryPolicy.suggestedDelay`.
        public var retryAfter: Duration {
            switch self {
            case .exceeded(_, _, let retryAfter): retryAfter
            }
        }
    }
}

extension RateLimiter.Failure: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .exceeded(let limit, let period, let retryAfter):
            "The limit of \(limit) per \(period.displayText) is exceeded; there is a token in \(retryAfter.displayText)."
        }
    }

    public var errorDescription: String? { description }
}

extension ObservableType {
    /// Subscribes when `limiter` has a token; fails with a ``RateLimiter/Failure`` if the wait for one would be too long.
    ///
    /// ```swift
    /// letters.flatMap { Observable.just($0).rateLimit(limiter) }
    /// // -abc--------|
    /// // -a--b--c----|        one in three seconds
    /// ```
    ///
    /// A queued subscription starts on the limiter's scheduler. Disposing removes it from the queue; a token that it has taken stays taken.
    /// Elements are not limited: to limit them, give each one a stream of its own, as above. Source: [resilience4j,
    /// RateLimiter](https://resilience4j.readme.io/docs/ratelimiter).
    @inlinable
    public func rateLimit(_ limiter: RateLimiter) -> Observable<Element> {
        asObservable().permitted(by: limiter)
    }
}
