import Dispatch
import Foundation

/// Runs each action synchronously, before `schedule` returns; a delay blocks the calling thread.
///
/// Source: [ReactiveX, Scheduler](https://reactivex.io/documentation/scheduler.html).
public struct ImmediateScheduler: Scheduler {
    /// The shared instance.
    public static let instance = ImmediateScheduler()

    private init() {}

    public var now: Duration { .nanoseconds(DispatchTimers.now) }

    public var canRunSynchronously: Bool { true }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        LockProbe.expectNoLock()
        action()
        return Disposables.create()
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        Self.block(for: delay.nanoseconds)
        return schedule(action)
    }

    private static func block(for nanoseconds: Int64) {
        guard nanoseconds > 0 else { return }
        Thread.sleep(forTimeInterval: Double(nanoseconds) / 1e9)
    }
}
