/// An event and the time at which it came.
///
/// Times are durations since the scheduler's origin. The integer forms are ticks of one second (`TestScheduler.tick`).
public struct Recorded<Element: Sendable>: Sendable {
    /// When it came.
    public let time: Duration
    /// What came.
    public let event: Event<Element>

    /// Makes an event that comes at `time`.
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

    /// A failure at a tick.
    public static func error(_ tick: Int, _ error: any Error = TestError.failed) -> Recorded<Element> {
        self.error(at: TestScheduler.tick * tick, error)
    }

    /// A failure at a time.
    public static func error(at time: Duration, _ error: any Error = TestError.failed) -> Recorded<Element> {
        Recorded(time: time, event: .error(error))
    }

    /// The completion at a tick.
    public static func completed(_ tick: Int) -> Recorded<Element> {
        completed(at: TestScheduler.tick * tick)
    }

    /// The completion at a time.
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

/// When a subscription began and when it was let go.
public struct SubscriptionInterval: Sendable, Hashable {
    /// When somebody subscribed.
    public let subscribed: Duration
    /// When that was let go, by a terminal event or a disposal; nil while it runs.
    public internal(set) var disposed: Duration?

    /// Makes an interval of ticks of one second.
    public init(_ subscribed: Int, _ disposed: Int? = nil) {
        self.init(from: TestScheduler.tick * subscribed, to: disposed.map { TestScheduler.tick * $0 })
    }

    /// Makes an interval of times.
    public init(from subscribed: Duration, to disposed: Duration? = nil) {
        self.subscribed = subscribed
        self.disposed = disposed
    }
}

extension SubscriptionInterval: CustomStringConvertible {
    public var description: String {
        "\(subscribed) to \(disposed.map { "\($0)" } ?? "now")"
    }
}

/// The error that a test source fails with, unless another is given: `#` in a diagram.
public struct TestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What tells one from another.
    public let name: String

    /// The usual one.
    public static let failed = TestError("failed")

    /// Makes an error of its own.
    public init(_ name: String) {
        self.name = name
    }

    public var description: String { name }
}
