/// Where and when work runs. All its methods are usable from any thread.
///
/// Source: [ReactiveX, Scheduler](https://reactivex.io/documentation/scheduler.html).
public protocol Scheduler: Sendable {
    /// The time since the scheduler's own origin. Never goes back.
    var now: Duration { get }

    /// Whether the running code is already where this scheduler's actions run, so that an action may be called synchronously.
    var canRunSynchronously: Bool { get }

    /// Runs `action` as soon as possible; disposing the result before that prevents it.
    func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable

    /// Runs `action` when `delay` has passed; a delay that is not positive means as soon as possible.
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable
}

extension Scheduler {
    public var canRunSynchronously: Bool { false }

    /// Runs `action` after `delay` and then each `period`, until the result is disposed, one run at a time.
    ///
    /// Each run is planned from the start of the schedule and not from the run before, so the schedule does not drift. A run that is
    /// late makes the next one come sooner; runs whose time has passed altogether are left out. A period below one nanosecond is taken
    /// as that; what lies 292 years ahead never runs.
    public func schedulePeriodic(
        after delay: Duration, every period: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        let schedule = PeriodicSchedule(period: period, scheduler: self, action)
        schedule.start(after: delay)
        return schedule
    }
}

/// A repeated action; made before its first run, so that it can be disposed from inside it.
package final class PeriodicSchedule: Disposable {
    private let period: Duration
    private let scheduler: any Scheduler
    private let action: Lock<(@Sendable () -> Void)?>
    private let pending = PlannedAction()

    package init(period: Duration, scheduler: any Scheduler, _ action: @escaping @Sendable () -> Void) {
        self.period = max(period.clamped, .nanoseconds(1))
        self.scheduler = scheduler
        self.action = Lock(action)
    }

    package func start(after delay: Duration) {
        let delay = max(delay.clamped, .zero)
        plan(at: scheduler.now + delay, after: delay)
    }

    package func dispose() {
        _ = action.withLock { $0.take() }
        pending.dispose()
    }

    private func plan(at time: Duration, after delay: Duration) {
        pending.plan { scheduler.schedule(after: delay) { [self] in run(at: time) } }
    }

    private func run(at time: Duration) {
        guard let action = action.withLock({ $0 }) else { return }
        LockProbe.expectNoLock()
        action()
        guard !pending.isDisposed else { return }
        let now = scheduler.now
        // A clock that jumps may have left out more runs than can be counted.
        let missed = min(max(0, (now - time) / period), 1e18)
        let next = time + period * (Int(missed) + 1)
        plan(at: next, after: next - now)
    }
}
