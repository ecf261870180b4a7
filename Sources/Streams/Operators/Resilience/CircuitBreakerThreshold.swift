import Schedulers

extension CircuitBreaker {
    /// The rule by which a circuit breaker opens.
    public struct Threshold: Sendable {
        fileprivate enum Rule: Sendable {
            case consecutive(Int)
            case count(Int, within: Duration)
            case rate(Double, within: Duration, minimumCalls: Int)
        }

        fileprivate let rule: Rule

        /// Opens after this number of failures in a row. Values below one are treated as one.
        public static func consecutiveFailures(_ count: Int) -> Threshold {
            Threshold(rule: .consecutive(max(1, count)))
        }

        /// Opens after this number of failures within a time, however many calls succeed meanwhile. A count below one is treated as one, a
        /// negative time as zero. Stores the times of at most that many failures.
        public static func failures(_ count: Int, within time: Duration) -> Threshold {
            Threshold(rule: .count(max(1, count), within: max(.zero, time.clamped)))
        }

        /// Opens when at least this part of the latest calls has failed.
        ///
        /// - Parameters:
        ///   - rate: the part from 0 to 1. Other values are clamped, and `nan` is 1; a failure is required in any case.
        ///   - time: the sliding window, counted in ten parts; a negative one is treated as zero.
        ///   - minimumCalls: how many calls the window must contain before the rate counts; values below one are treated as one.
        public static func failureRate(_ rate: Double, within time: Duration, minimumCalls: Int) -> Threshold {
            let part = rate.isNaN ? 1 : min(max(rate, 0), 1)
            return Threshold(rule: .rate(part, within: max(.zero, time.clamped), minimumCalls: max(1, minimumCalls)))
        }
    }
}

/// The calls that count for a threshold: those since the breaker closed, as far as the rule considers them.
struct FailureWindow {
    /// The calls of one tenth of the window.
    private struct Slice {
        var number = Int.min
        var calls = 0
        var failures = 0
    }

    private static let sliceCount = 10

    private let rule: CircuitBreaker.Threshold.Rule
    private var streak = 0
    private var times = ElementQueue<Duration>()
    private var slices: [Slice] = []

    init(_ threshold: CircuitBreaker.Threshold) {
        rule = threshold.rule
    }

    mutating func clear() {
        streak = 0
        times = ElementQueue()
        slices = []
    }

    /// Counts a call, and returns whether the threshold is reached.
    mutating func record(isFailure: Bool, at now: Duration) -> Bool {
        switch rule {
        case .consecutive(let count):
            streak = isFailure ? streak + 1 : 0
            return streak >= count
        case .count(let count, let time): return isFailure && recordFailure(at: now, count, within: time)
        case .rate(let rate, let time, let minimum):
            let (calls, failures) = recordCall(isFailure, at: now, within: time)
            return isFailure && calls >= minimum && Double(failures) >= rate * Double(calls)
        }
    }

    private mutating func recordFailure(at now: Duration, _ count: Int, within time: Duration) -> Bool {
        times.append(now)
        while let first = times.first, times.count > count || now - first > time { _ = times.popFirst() }
        return times.count >= count
    }

    private mutating func recordCall(_ isFailure: Bool, at now: Duration, within time: Duration) -> (calls: Int, failures: Int) {
        if slices.isEmpty { slices = Array(repeating: Slice(), count: Self.sliceCount) }
        let length = max(time / Self.sliceCount, .nanoseconds(1))
        let number = Int(min(max((now / length).rounded(.down), -9e18), 9e18))
        let place = (number % Self.sliceCount + Self.sliceCount) % Self.sliceCount
        if slices[place].number != number { slices[place] = Slice(number: number) }
        slices[place].calls += 1
        slices[place].failures += isFailure ? 1 : 0
        let counted = slices.filter { $0.number > number - Self.sliceCount }
        return (counted.reduce(0) { $0 + $1.calls }, counted.reduce(0) { $0 + $1.failures })
    }
}
