import Schedulers

/// A timer that runs its action in an operator's serializer when the delay of its latest start has elapsed.
///
/// Restarting it schedules nothing: the pending action of the scheduler determines the remaining delay, and schedules another action for
/// it. The timer is used inside the serializer only, and disposed with the operator's lifetime.
@usableFromInline
final class RestartableTimer: @unchecked Sendable {
    // Law 2: stored properties change only inside the serializer.
    @usableFromInline let scheduler: any Scheduler
    private let serializer: SharedSerializer
    private let action: @Sendable (RestartableTimer) -> Void
    private let resumed: @Sendable (RestartableTimer) -> Void
    private let pending: PlannedMember
    /// Whether an action of the scheduler is pending, which will check `dueTime`.
    @usableFromInline @safe @exclusivity(unchecked) var isPending = false
    @usableFromInline @safe @exclusivity(unchecked) var dueTime: Duration?
    @usableFromInline let probed: ProbedTimer

    /// Creates a timer. `action` receives the timer, so that it can restart it.
    @usableFromInline
    init(
        _ scheduler: any Scheduler, in serializer: SharedSerializer, resumed: (@Sendable (RestartableTimer) -> Void)? = nil,
        _ action: @escaping @Sendable (RestartableTimer) -> Void
    ) {
        self.scheduler = scheduler
        self.serializer = serializer
        self.action = action
        // Not `??`, which would wrap the closure in another one.
        if let resumed { self.resumed = resumed } else { self.resumed = action }
        probed = ProbedTimer(on: scheduler)
        pending = PlannedMember(in: serializer.lifetime)
    }

    /// Restarts the timer: the action runs after `delay`, and not at the earlier due time, which must not be later.
    @inlinable
    func start(after delay: Duration) {
        start(after: delay, from: scheduler.now)
    }

    /// Restarts the timer when the time of the scheduler is known already.
    @inlinable
    func start(after delay: Duration, from now: Duration) {
        setDue(now + delay)
        if !isPending { plan(after: delay) }
    }

    /// Starts the timer anew: the action runs at `time`.
    @inlinable
    func start(at time: Duration) {
        setDue(time)
        if !isPending { plan(after: time - scheduler.now) }
    }

    @inlinable @inline(__always)
    func setDue(_ time: Duration?) {
        dueTime = time
        probed.start(at: time)
    }

    /// Stops the timer: the action does not run.
    @usableFromInline
    func stop() {
        setDue(nil)
        isPending = false
        pending.planned.cancel()
    }

    @usableFromInline
    func plan(after delay: Duration) {
        isPending = true
        pending.planned.plan {
            scheduler.schedule(after: delay) { [self] in
                // Neither closure captures more than the timer, so that no context is allocated for them.
                serializer.serialize(self) { timer in timer.finish(timer.action) }
            }
        }
    }

    /// Runs `action` if the timer is due. An action of the scheduler that had begun when the timer was stopped may come early here, in
    /// place of the one that was planned since.
    private func finish(_ action: @escaping @Sendable (RestartableTimer) -> Void) {
        guard let due = dueTime else { return }
        let rest = due - scheduler.now
        guard rest <= .zero else {
            pending.planned.cancel()
            return plan(after: rest)
        }
        guard !serializer.lifetime.isSuspended else {
            return serializer.runWhenResumed { [self] in finish(resumed) }
        }
        isPending = false
        setDue(nil)
        action(self)
    }
}
