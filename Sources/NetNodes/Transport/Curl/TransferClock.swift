import Streams

/// The times of a transfer, and the timeouts that depend on them. libcurl handles the connect timeout.
struct TransferClock {
    private let startedAt = MonotonicTime.now
    /// The time of the last activity on the connection of the current request.
    private(set) var lastActivity: UInt64?

    /// The time since the transfer began, including redirects.
    var age: Duration { .nanoseconds(Int64(MonotonicTime.now - startedAt)) }

    /// Records activity, and returns whether it is the first one.
    mutating func recordActivity(at now: UInt64) -> Bool {
        defer { lastActivity = now }
        return lastActivity == nil
    }

    /// Notes that a pause has ended, which does not count as idle time.
    mutating func endPause(at now: UInt64) {
        if lastActivity != nil { lastActivity = now }
    }

    /// Begins another request.
    mutating func beginRequest() { lastActivity = nil }

    /// Returns the next deadline; `.max` if there is none.
    ///
    /// - Parameter countsIdle: whether the time without activity counts.
    func deadline(_ timeouts: HTTPRequest.Timeouts, countsIdle: Bool) -> UInt64 {
        let total = timeouts.total.map { startedAt.advanced(by: $0) } ?? .max
        guard countsIdle, let idle = timeouts.idle, let lastActivity else { return total }
        return min(total, lastActivity.advanced(by: idle))
    }

    /// Returns the timeout that has expired, with its duration.
    func expired(at now: UInt64, _ timeouts: HTTPRequest.Timeouts, countsIdle: Bool) -> (TransportError.TimeoutPhase, Duration)? {
        if let total = timeouts.total, startedAt.advanced(by: total) <= now { return (.total, total) }
        guard countsIdle, let idle = timeouts.idle, let lastActivity, lastActivity.advanced(by: idle) <= now else { return nil }
        return (.idle, idle)
    }
}
