/// An event and the time at which it was received.
///
/// Times are durations since the scheduler's origin. The integer forms are ticks of one second (`TestScheduler.tick`).
public struct Recorded<Element: Sendable>: Sendable {
    /// The time of the event.
    public let time: Duration
    /// The event.
    public let event: Event<Element>

    /// Creates an event at `time`.
    public init(time: Duration, event: Event<Element>) {
        self.time = time
        self.event = event
    }

    /// An element at a tick.
    public static func next(_ tick: Int, _ element: Element) -> Recorded<Element> {
        next(at: TestScheduler.tick * tick, element)
    }

    /// An element at a time.
    public static func next(at time: Duration, _ element: Element) -> Recorded<Element> {
        Recorded(time: time, event: .next(element))
    }

    /// An error at a tick.
    public static func error(_ tick: Int, _ error: any Error = TestError.failed) -> Recorded<Element> {
        self.error(at: TestScheduler.tick * tick, error)
    }

    /// An error at a time.
    public static func error(at time: Duration, _ error: any Error = TestError.failed) -> Recorded<Element> {
        Recorded(time: time, event: .error(error))
    }

    /// A completion at a tick.
    public static func completed(_ tick: Int) -> Recorded<Element> {
        completed(at: TestScheduler.tick * tick)
    }

    /// A completion at a time.
    public static func completed(at time: Duration) -> Recorded<Element> {
        Recorded(time: time, event: .completed)
    }
}

/// Errors are compared by their description, as in `Event`.
extension Recorded: Equatable where Element: Equatable {}

extension Recorded: CustomStringConvertible {
    public var description: String {
        "\(event) at \(time)"
    }
}

extension TestScheduler {
    /// The interval between subscription and disposal.
    public struct Subscription: Sendable, Hashable {
        /// The time of the subscription.
        public let subscribed: Duration
        /// The time of the disposal or of the terminal event; `nil` while the subscription is active.
        public internal(set) var disposed: Duration?

        /// Creates an interval in ticks of one second.
        public init(_ subscribed: Int, _ disposed: Int? = nil) {
            self.init(from: TestScheduler.tick * subscribed, to: disposed.map { TestScheduler.tick * $0 })
        }

        /// Creates an interval in durations.
        public init(from subscribed: Duration, to disposed: Duration? = nil) {
            self.subscribed = subscribed
            self.disposed = disposed
        }
    }
}

extension TestScheduler.Subscription: CustomStringConvertible {
    public var description: String {
        "\(subscribed) to \(disposed.map { "\($0)" } ?? "now")"
    }
}

/// The error that a test source fails with by default: `#` in a diagram.
public struct TestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Distinguishes one error from another.
    public let name: String

    /// The default error.
    public static let failed = TestError("failed")

    /// Creates an error with a name of its own.
    public init(_ name: String) {
        self.name = name
    }

    public var description: String { name }
}
