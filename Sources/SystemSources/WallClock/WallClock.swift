import Foundation

/// Tells the date. It is injected, so that tests decide the date and its changes.
public protocol WallClock: Sendable {
    /// The current date. It may jump forward and back.
    var now: Date { get }
}

/// The clock of the system.
public struct SystemWallClock: WallClock {
    /// Creates the clock.
    public init() {}

    public var now: Date {
        SimulatedSystem.current.map { Date(timeIntervalSince1970: $0.date()) } ?? Date()
    }
}

extension WallClock where Self == SystemWallClock {
    /// The clock of the system.
    public static var system: SystemWallClock { SystemWallClock() }
}

/// A wall clock that runs with a scheduler, by default with virtual time, and can be set.
///
/// ```swift
/// let scheduler = VirtualTimeScheduler()
/// let clock = VirtualWallClock(start, scheduler: scheduler)
/// let times = Observable.daily(at: .init(7, 30), in: berlin, clock: clock, scheduler: scheduler)
/// scheduler.advance(by: .seconds(86_400))
/// ```
public final class VirtualWallClock: WallClock {
    private let scheduler: any Scheduler
    private let origin: Lock<Date>

    /// Creates a clock that shows `date` now.
    public init(_ date: Date, scheduler: any Scheduler) {
        self.scheduler = scheduler
        origin = Lock(date.addingTimeInterval(-scheduler.now.timeInterval))
    }

    public var now: Date {
        let elapsed = scheduler.now.timeInterval
        return origin.withLock { $0 }.addingTimeInterval(elapsed)
    }

    /// Sets the clock, forward or back, as an administrator or a time server does.
    public func set(to date: Date) {
        let elapsed = scheduler.now.timeInterval
        origin.withLock { $0 = date.addingTimeInterval(-elapsed) }
    }
}

extension Duration {
    /// The duration in seconds.
    var timeInterval: TimeInterval {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
