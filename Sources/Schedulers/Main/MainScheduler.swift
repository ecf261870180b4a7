import Dispatch
import Synchronization

/// Runs its actions on the main loop.
///
/// Source: [RxSwift, MainScheduler](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Schedulers.md).
public final class MainScheduler: RepeatingScheduler {
    /// Lets operators and binders deliver synchronously when they are on the main loop already and have nothing queued there; `schedule`
    /// runs an action synchronously when it is called on the main loop and no action of this scheduler is queued or running.
    public static let instance = MainScheduler(runsSynchronously: true)

    /// The scheduler that always enqueues, even on the main loop.
    public static let asyncInstance = MainScheduler(runsSynchronously: false)

    private static let timers = DispatchTimers(queue: .main)
    private let runsSynchronously: Bool
    /// The number of actions that are queued or running: a later one neither overtakes them nor runs inside them (law 5).
    private let pending = Atomic<Int>(0)

    init(runsSynchronously: Bool) {
        self.runsSynchronously = runsSynchronously
    }

    /// Whether the caller is on the main loop: on the main thread, or wherever the main queue currently runs.
    public static var isOnMainLoop: Bool { MainThread.isCurrent }

    /// Stops the program unless the caller is on the main loop. Use it in code that must not run anywhere else.
    ///
    /// - Precondition: the caller is on the main loop.
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        precondition(isOnMainLoop, errorMessage ?? "Running on a thread that is not that of the main loop")
    }

    public var now: Duration { .nanoseconds(DispatchTimers.now) }

    public var canRunSynchronously: Bool { runsSynchronously && MainThread.isCurrent }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        if let simulated = SimulatedSystem.current { return simulated.mainLoop.schedule(action) }
        guard runsSynchronously else { return DispatchQueue.main.run(action) }
        let isFirst = pending.add(1, ordering: .acquiringAndReleasing).oldValue == 0
        let item = ScheduledAction(action)
        guard isFirst, MainThread.isCurrent else {
            enqueue(item)
            return item
        }
        run(item)
        return item
    }

    private func enqueue(_ item: ScheduledAction) {
        DispatchQueue.main.async { [self] in run(item) }
    }

    private func run(_ item: ScheduledAction) {
        item.run()
        pending.subtract(1, ordering: .acquiringAndReleasing)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        Self.timers.schedule(after: delay, action)
    }

    package func schedule(after delay: Duration, every period: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        Self.timers.schedule(after: delay, every: period, action)
    }

    /// Calls `action` as main-actor code where this scheduler runs its actions.
    ///
    /// - Precondition: the caller is on the main loop; debug builds check it.
    @usableFromInline
    package static func runOnMainActor(_ action: @MainActor () -> Void) {
        #if DEBUG
            // The runtime does not know that the thread of a simulation is the main loop.
            if SimulatedSystem.current == nil { return MainActor.assumeIsolated(action) }
        #endif
        // The caller is on the main loop; `assumeIsolated` would check that again, at 130 ns an event.
        withoutActuallyEscaping(action) { action in
            unsafe unsafeBitCast(action as @MainActor () -> Void, to: (() -> Void).self)()
        }
    }
}
