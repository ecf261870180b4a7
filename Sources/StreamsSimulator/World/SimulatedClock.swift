import Streams

/// The clock of a simulation, for `Task.sleep(for:clock:)` and for other code that takes a clock.
public struct SimulatedClock: Clock {
    /// A time since the simulation began.
    public struct Instant: InstantProtocol {
        /// The time since the simulation began.
        public let offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let scheduler: LoopScheduler

    public var now: Instant { Instant(offset: scheduler.now) }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Throws `CancellationError` when the task is cancelled before the deadline.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        for try await _ in Observable<Int>.timer(now.duration(to: deadline), scheduler: scheduler).values { return }
        try Task.checkCancellation()
    }
}
