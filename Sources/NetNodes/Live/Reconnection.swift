import Foundation
public import Streams

extension ServerSentEventsNode {
    /// The reconnection policy of an event stream.
    public struct Reconnection: Sendable {
        /// The delay before the first reconnection unless the server specifies one; it doubles with each failed attempt.
        public var delay: Duration
        /// The minimum delay, even if the server specifies a shorter one.
        public var minimumDelay: Duration
        /// The maximum delay, unless the server specifies a longer one, of an hour at most.
        public var maximumDelay: Duration
        /// The maximum number of consecutive failed attempts; `nil` means any number.
        public var attempts: Int?
        /// The scheduler that runs the delays.
        public var scheduler: any Scheduler

        /// Creates a policy.
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
}

/// The backoff state of one subscription.
struct ReconnectionBackoff {
    private static let longestServerDelay = Duration.seconds(60 * 60)

    private let reconnection: ServerSentEventsNode.Reconnection
    /// The delay specified by the server.
    var serverDelay: Duration?
    /// The number of consecutive connections without an event.
    private var failures = 0
    /// The number of consecutive short connections, with or without events.
    private var briefConnections = 0
    private var connectedAt = Duration.zero

    init(_ reconnection: ServerSentEventsNode.Reconnection) {
        self.reconnection = reconnection
    }

    mutating func beginConnection() {
        connectedAt = reconnection.scheduler.now
    }

    mutating func noteEvent() {
        failures = 0
    }

    /// Returns the delay before the next connection; `nil` if there should be none.
    ///
    /// If a server repeatedly sends an event and closes immediately, it is not reconnected at that rate: the delay grows too, up to
    /// `delay`.
    mutating func endConnection() -> Duration? {
        failures += 1
        briefConnections = reconnection.scheduler.now - connectedAt < reconnection.delay ? briefConnections + 1 : 1
        guard failures <= reconnection.attempts ?? .max else { return nil }
        let hasEvents = failures == 1
        let first = max(min(serverDelay ?? reconnection.delay, Self.longestServerDelay), reconnection.minimumDelay)
        let longest = max(first, hasEvents ? reconnection.delay : reconnection.maximumDelay)
        var wait = first
        for _ in 1..<min(hasEvents ? briefConnections : failures, 64) where wait < longest { wait *= 2 }
        return min(wait, longest)
    }
}
