import Foundation
import TerminalViews

/// What was seen of one endpoint so far. It keeps the last checks only, so that it does not grow.
struct EndpointRecord: Sendable, Equatable {
    let endpoint: URL
    private(set) var last: Check?
    private(set) var checks = 0
    private(set) var failures = 0
    /// The last failure, also when the endpoint is up again.
    private(set) var lastFailure: Check?
    /// When the present state began.
    private(set) var since: Date?
    /// Milliseconds of the last checks, oldest first; `nan` where there was no good answer.
    private(set) var latencies = Series(capacity: 300)

    init(endpoint: URL) {
        self.endpoint = endpoint
    }

    /// The record with one more check in it. O(kept checks).
    func adding(_ check: Check) -> EndpointRecord {
        var next = self
        if last?.isUp != check.isUp { next.since = check.time }
        next.last = check
        next.checks += 1
        if !check.isUp {
            next.failures += 1
            next.lastFailure = check
        }
        next.latencies.append(check.isUp ? check.latency.milliseconds : .nan)
        return next
    }

    /// The part of the checks that were good, in percent; nil before the first.
    var uptime: Double? {
        checks > 0 ? 100 * Double(checks - failures) / Double(checks) : nil
    }

    /// The latency in milliseconds that so many percent of the kept good answers did not exceed; nil where there is none.
    func percentile(_ percent: Double) -> Double? {
        let sorted = latencies.values.filter(\.isFinite).sorted()
        guard !sorted.isEmpty else { return nil }
        // Nearest rank: https://en.wikipedia.org/wiki/Percentile
        let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}

extension Duration {
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}
