import Foundation
import TerminalViews

/// The recorded checks of one endpoint. It is bounded: only the last checks are kept.
struct EndpointRecord: Sendable, Equatable {
    let endpoint: URL
    private(set) var last: Check?
    private(set) var checks = 0
    private(set) var failures = 0
    /// The last failure, even if the endpoint is up again.
    private(set) var lastFailure: Check?
    /// The time at which the current state began.
    private(set) var since: Date?
    /// The latencies of the last checks in milliseconds, oldest first; `nan` for failures.
    private(set) var latencies = Series(capacity: 300)

    init(endpoint: URL) {
        self.endpoint = endpoint
    }

    /// Returns the record with one more check. O(stored checks).
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

    /// The percentage of successful checks; `nil` before the first.
    var uptime: Double? {
        checks > 0 ? 100 * Double(checks - failures) / Double(checks) : nil
    }

    /// Returns the latency in milliseconds that this percentage of the recorded checks did not exceed; `nil` if there is none.
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
