import Foundation
import Schedulers

/// Sends a request a second time when the first is slower than most, and uses the answer that arrives first.
///
/// ```swift
/// let hedging = Hedging(after: .percentile(0.95), budget: 0.1)
/// let answer = request.hedge(hedging)
/// hedging.metrics.subscribe(onNext: { print("\($0.hedges) hedges, \($0.wins) won") }).disposed(by: bag)
/// ```
///
/// Use it only for requests that may be sent twice. All requests of a kind share one: their durations decide which request is slow, and the
/// budget bounds the additional load, so that a service that has become slow does not get twice the requests. You can use it from any
/// thread. Source: [gRPC, Request hedging](https://grpc.io/docs/guides/request-hedging/).
public final class Hedging: Sendable {
    /// The time after which a request counts as slow.
    public struct Delay: Sendable {
        fileprivate enum Rule {
            case fixed(Duration)
            case percentile(Double, samples: Int, minimum: Duration)
        }

        fileprivate let rule: Rule

        /// Counts a request as slow after this time; a negative time is treated as zero.
        public static func fixed(_ delay: Duration) -> Delay {
            Delay(rule: .fixed(max(.zero, delay.clamped)))
        }

        /// Counts a request as slow when it takes longer than this part of the latest requests did. Nothing is hedged before 20 of them, or
        /// all samples, are known.
        ///
        /// - Parameters:
        ///   - part: from 0 to 1; other values are clamped, and `nan` is 1.
        ///   - samples: how many of the latest requests count: from 1 to 10,000.
        ///   - minimum: the shortest delay.
        public static func percentile(_ part: Double, of samples: Int = 1_000, minimum: Duration = .zero) -> Delay {
            let part = part.isNaN ? 1 : min(max(part, 0), 1)
            return Delay(rule: .percentile(part, samples: min(max(samples, 1), 10_000), minimum: max(.zero, minimum.clamped)))
        }
    }

    /// The figures of hedging.
    public struct Metrics: Equatable, Sendable {
        /// The number of requests, without hedges.
        public internal(set) var requests = 0
        /// The number of hedges that were sent.
        public internal(set) var hedges = 0
        /// The number of hedges that were answered first.
        public internal(set) var wins = 0
        /// The number of hedges that were not sent because the budget was exhausted.
        public internal(set) var withheld = 0
        /// The current delay before a hedge; `nil` while too few durations are known.
        public internal(set) var delay: Duration?
    }

    private struct State {
        var metrics = Metrics()
        var budget: HedgingBudget
        var durations: LatencyWindow?
    }

    private let state: MeasuredState<State>
    private let delay: Delay
    let maxAttempts: Int
    let scheduler: any Scheduler

    /// Creates a hedging that has seen no request yet.
    ///
    /// - Parameters:
    ///   - delay: the time before each further attempt.
    ///   - maxAttempts: how often a request may be sent at most, including the first; below two nothing is hedged.
    ///   - budget: the number of hedges for each request on average, from 0 to 10; other values are clamped, and `nan` is 0. The unused
    ///     part is saved, up to ten hedges.
    ///   - scheduler: where the delays run.
    public init(
        after delay: Delay, maxAttempts: Int = 2, budget: Double = 0.1,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        self.delay = delay
        self.maxAttempts = maxAttempts
        self.scheduler = scheduler
        var state = State(budget: HedgingBudget(perRequest: budget))
        switch delay.rule {
        case .fixed(let time): state.metrics.delay = time
        case .percentile(_, let samples, _): state.durations = LatencyWindow(capacity: samples)
        }
        self.state = MeasuredState(state)
    }

    /// The current figures, and then each change of them, on the thread of the change. Never terminates.
    public var metrics: Observable<Metrics> { state.figures { $0.metrics } }

    /// The current figures.
    public var currentMetrics: Metrics { state.read { $0.metrics } }

    /// Counts a request, and returns the delay before its hedge.
    func begin() -> Duration? {
        state.update { state in
            state.metrics.requests += 1
            state.budget.deposit()
            return state.metrics.delay
        }
    }

    /// Takes a hedge from the budget, if there is one.
    func permitHedge() -> Bool {
        state.update { state in
            let isPermitted = state.budget.withdraw()
            state.metrics.hedges += isPermitted ? 1 : 0
            state.metrics.withheld += isPermitted ? 0 : 1
            return isPermitted
        }
    }

    /// Records the duration of the first attempt. If a hedge has won, the first attempt would have taken longer.
    func answered(after duration: Duration, byHedge: Bool) {
        state.update { state in
            state.metrics.wins += byHedge ? 1 : 0
            guard case .percentile(let part, _, let minimum) = delay.rule else { return }
            state.durations?.insert(duration)
            state.metrics.delay = state.durations?.percentile(part).map { max($0, minimum) }
        }
    }
}

/// Bounds the hedges by the number of requests, exactly: there are never more.
private struct HedgingBudget {
    private static let hedge = 1_000_000
    private static let mostSaved = 10 * hedge

    private let perRequest: Int
    private var saved = 0

    init(perRequest part: Double) {
        perRequest = Int((part.isNaN ? 0 : min(max(part, 0), 10)) * Double(Self.hedge))
    }

    mutating func deposit() {
        saved = min(saved + perRequest, Self.mostSaved)
    }

    mutating func withdraw() -> Bool {
        guard saved >= Self.hedge else { return false }
        saved -= Self.hedge
        return true
    }
}

/// The last durations, sorted, for percentiles.
private struct LatencyWindow {
    private static let fewest = 20

    private let capacity: Int
    private var sorted: [Duration] = []
    private var recent = ElementQueue<Duration>()

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func insert(_ duration: Duration) {
        if recent.count == capacity, let oldest = recent.popFirst() { sorted.remove(at: place(of: oldest)) }
        recent.append(duration)
        sorted.insert(duration, at: place(of: duration))
    }

    /// Returns the shortest duration that this part of the durations does not exceed; `nil` if too few are known.
    func percentile(_ part: Double) -> Duration? {
        guard sorted.count >= min(capacity, Self.fewest) else { return nil }
        return sorted[max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
    }

    /// Returns the index of the first duration that is not shorter.
    private func place(of duration: Duration) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < duration { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
