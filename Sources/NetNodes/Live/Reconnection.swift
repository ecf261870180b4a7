import Foundation
public import Streams

/// When a stream of events connects again.
public struct Reconnection: Sendable {
    /// The wait before the first new attempt where the server names none; it doubles with each attempt that fails.
    public var delay: Duration
    /// The shortest wait, whatever the server names.
    public var minimumDelay: Duration
    /// The longest wait, unless the server names a longer one, of an hour at most.
    public var maximumDelay: Duration
    /// Attempts in a row that may fail; `nil` for any number.
    public var attempts: Int?
    /// Where the waits are timed.
    public var scheduler: any Scheduler

    public init(
        delay: Duration = .seconds(1), minimumDelay: Duration = .milliseconds(100), maximumDelay: Duration = .seconds(30),
        attempts: Int? = nil, scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        self.delay = delay
        self.minimumDelay = minimumDelay
        self.maximumDelay = maximumDelay
        self.attempts = attempts
        self.scheduler = scheduler
    }
}

/// What the connections of one subscription have come to so far, and how long to wait before the next.
struct ReconnectionBackoff {
    private static let longestServerDelay = Duration.seconds(60 * 60)

    private let reconnection: Reconnection
    /// What the server wants a client to wait.
    var serverDelay: Duration?
    /// Connections in a row that brought no event.
    private var failures = 0
    /// Connections in a row that ended soon, with events or without.
    private var briefConnections = 0
    private var connectedAt = Duration.zero

    init(_ reconnection: Reconnection) {
        self.reconnection = reconnection
    }

    mutating func beginConnection() {
        connectedAt = reconnection.scheduler.now
    }

    mutating func noteEvent() {
        failures = 0
    }

    /// - Returns: whether there is to be another connection.
    mutating func endConnection() -> Bool {
        failures += 1
        briefConnections = reconnection.scheduler.now - connectedAt < reconnection.delay ? briefConnections + 1 : 1
        return reconnection.attempts.map { failures <= $0 } ?? true
    }

    /// The wait before the next connection; `nil` before the first.
    ///
    /// A server that sends an event and closes at once, again and again, is not asked again at that rate: there the wait grows too, up to `delay`.
    var wait: Duration? {
        guard failures > 0 else { return nil }
        let hasEvents = failures == 1
        let first = max(min(serverDelay ?? reconnection.delay, Self.longestServerDelay), reconnection.minimumDelay)
        let longest = max(first, hasEvents ? reconnection.delay : reconnection.maximumDelay)
        var wait = first
        for _ in 1..<min(hasEvents ? briefConnections : failures, 64) where wait < longest { wait *= 2 }
        return min(wait, longest)
    }
}
