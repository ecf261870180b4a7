import Dispatch
import Synchronization

/// Runs its actions on the main loop: what is bound to a view runs here.
///
/// Source: [RxSwift, MainScheduler](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Schedulers.md).
public final class MainScheduler: Scheduler {
    /// Lets operators and binders deliver synchronously when they are on the main loop already and have nothing waiting there; `schedule`
    /// runs an action synchronously when it is called on the main loop and no action of this scheduler waits or runs.
    public static let instance = MainScheduler(runsSynchronously: true)

    /// Always enqueues, also from the main loop.
    public static let asyncInstance = MainScheduler(runsSynchronously: false)

    private static let timers = DispatchTimers(queue: .main)
    private let runsSynchronously: Bool
    /// The actions that wait or run: a later one neither overtakes them nor runs inside them (law 5).
    private let pending = Atomic<Int>(0)

    init(runsSynchronously: Bool) {
        self.runsSynchronously = runsSynchronously
    }

    /// Whether the running code is on the main loop: on the main thread, or wherever the main queue runs now.
    public static var isOnMainLoop: Bool { MainThread.isCurrent }

    public var now: Duration { .nanoseconds(DispatchTimers.now) }

    public var canRunSynchronously: Bool { runsSynchronously && MainThread.isCurrent }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        guard runsSynchronously else { return DispatchQueue.main.run(action) }
        let isFirst = pending.add(1, ordering: .acquiringAndReleasing).oldValue == 0
        let item = ScheduledAction(action)
        guard isFirst, MainThread.isCurrent else {
            DispatchQueue.main.async { [self] in run(item) }
            return item
        }
        run(item)
        return item
    }

    private func run(_ item: ScheduledAction) {
        item.run()
        pending.subtract(1, ordering: .acquiringAndReleasing)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        Self.timers.schedule(after: delay, action)
    }

    /// Calls `action` where this scheduler runs its actions, which counts as main-actor code.
    ///
    /// To be called on the main loop only: a programmer's mistake anywhere else, which stops a debug build.
    package static func runOnMainActor(_ action: @MainActor () -> Void) {
        #if DEBUG
            MainActor.assumeIsolated(action)
        #else
            // The caller is on the main loop; `assumeIsolated` would check that again, for 130 ns an event.
            withoutActuallyEscaping(action) { action in
                unsafeBitCast(action as @MainActor () -> Void, to: (() -> Void).self)()
            }
        #endif
    }
}
