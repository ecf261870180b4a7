import Synchronization

/// Decides where and when work runs. All its methods are thread-safe.
///
/// Source: [ReactiveX, Scheduler](https://reactivex.io/documentation/scheduler.html).
public protocol Scheduler: Sendable {
    /// The time since the scheduler's own origin. It is monotonic.
    var now: Duration { get }

    /// Whether the caller is already where this scheduler's actions run, so that an action may be called synchronously.
    var canRunSynchronously: Bool { get }

    /// Runs `action` as soon as possible. Disposing the result before the action starts prevents it from running.
    func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable

    /// Runs `action` after `delay`; a delay that is not positive means as soon as possible.
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable
}

extension Scheduler {
    public var canRunSynchronously: Bool { false }

    /// Runs `action` after `delay` and then once every `period`, until the result is disposed, one run at a time.
    ///
    /// Each run is scheduled relative to the start of the schedule and not to the previous run, so the schedule does not drift. A run that
    /// is late makes the next one come sooner; runs whose time has already passed are skipped. A period below one nanosecond counts as one;
    /// runs more than 292 years ahead never happen.
    public func schedulePeriodic(
        after delay: Duration, every period: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        let schedule = PeriodicSchedule(period: period, scheduler: self, action)
        schedule.start(after: delay)
        return schedule
    }
}

/// A scheduler that repeats an action itself, so that it need not be called for each run.
///
/// It never runs an action before `schedule` returns. The rules of `schedulePeriodic(after:every:_:)` hold.
package protocol RepeatingScheduler: Scheduler {
    func schedule(after delay: Duration, every period: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable
}

/// A repeated action. It is created before its first run, so that it can be disposed from inside it.
@usableFromInline
package final class PeriodicSchedule: Disposable {
    private let period: Duration
    private let scheduler: any Scheduler
    private let action: Lock<Action?>
    private let pending = PlannedAction()
    /// The number of runs whose successor has not been scheduled, on a scheduler that runs its actions synchronously. A run inside the call
    /// that scheduled it leaves its successor to that call, so that the stack does not grow (law 5).
    private let unplanned = Atomic<Int>(0)

    /// A function in a structure. A bare function in a generic type would be wrapped again at each mutating access, so that each run would
    /// call through one more wrapper than the previous one.
    private struct Action: Sendable {
        let run: @Sendable () -> Void
        /// The time of the next run, on such a scheduler.
        var time = Duration.zero
    }

    @usableFromInline
    package init(period: Duration, scheduler: any Scheduler, _ action: @escaping @Sendable () -> Void) {
        self.period = max(period.clamped, .nanoseconds(1))
        self.scheduler = scheduler
        self.action = Lock(Action(run: action))
    }

    @usableFromInline
    package func start(after delay: Duration) {
        let delay = max(delay.clamped, .zero)
        guard let repeating = scheduler as? any RepeatingScheduler else { return plan(at: scheduler.now + delay) }
        pending.plan { repeating.schedule(after: delay, every: period) { [self] in run() } }
    }

    @usableFromInline
    package func dispose() {
        _ = action.withLock { $0.take() }
        pending.dispose()
    }

    private func plan(at time: Duration) {
        guard scheduler.canRunSynchronously else { return schedule(at: time) }
        action.withLock { $0?.time = time }
        guard unplanned.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            if let time = action.withLock({ $0?.time }) { schedule(at: time) }
        } while unplanned.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }

    private func schedule(at time: Duration) {
        pending.plan { scheduler.schedule(after: time - scheduler.now) { [self] in run(at: time) } }
    }

    private func run() {
        guard let action = action.withLock({ $0 }) else { return }
        LockProbe.expectNoLock()
        action.run()
    }

    private func run(at time: Duration) {
        run()
        plan(at: time.next(every: period, after: scheduler.now))
    }
}
