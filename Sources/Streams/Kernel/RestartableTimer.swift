import Schedulers

/// A timer that runs its action in an operator's serializer when the last delay that it was started with is over.
///
/// Starting it again schedules nothing: the action of the scheduler that is pending looks how much of the new delay is left, and is
/// scheduled anew for that. It is used inside the serializer only, and disposed with the operator's lifetime.
@usableFromInline
final class RestartableTimer: @unchecked Sendable {
    // Law 2: what is stored changes only inside the serializer.
    @usableFromInline let scheduler: any Scheduler
    private let serializer: SharedSerializer
    private let action: @Sendable (RestartableTimer) -> Void
    private let resumed: @Sendable (RestartableTimer) -> Void
    private let planned = SerialDisposable()
    /// Whether an action of the scheduler is pending that will look at `dueTime`.
    @usableFromInline @exclusivity(unchecked) var isPending = false
    @usableFromInline @exclusivity(unchecked) var dueTime: Duration?
    /// Counts the actions of the scheduler: one that was superseded may have begun to run on another thread.
    @exclusivity(unchecked) private var number = 0

    /// `action` receives the timer, so that it can start it anew.
    @usableFromInline
    init(
        _ scheduler: any Scheduler, in serializer: SharedSerializer, resumed: (@Sendable (RestartableTimer) -> Void)? = nil,
        _ action: @escaping @Sendable (RestartableTimer) -> Void
    ) {
        self.scheduler = scheduler
        self.serializer = serializer
        self.action = action
        self.resumed = resumed ?? action
        serializer.lifetime.add(planned)
    }

    /// Starts anew: the action runs after `delay`, and not when it would have run before, which is no later.
    @inlinable
    func start(after delay: Duration) {
        start(after: delay, from: scheduler.now)
    }

    /// The same, where the time of the scheduler is known.
    @inlinable
    func start(after delay: Duration, from now: Duration) {
        dueTime = now + delay
        if !isPending { plan(after: delay) }
    }

    /// Stops it: the action does not run.
    @usableFromInline
    func stop() {
        dueTime = nil
        isPending = false
        number += 1
        planned.disposable = nil
    }

    @usableFromInline
    func plan(after delay: Duration) {
        number += 1
        isPending = true
        planned.disposable = scheduler.schedule(after: delay) { [self, number] in
            serializer.run { [self] in fire(number) }
        }
    }

    private func fire(_ number: Int) {
        finish(number, action)
    }

    private func finish(_ number: Int, _ action: @escaping @Sendable (RestartableTimer) -> Void) {
        guard number == self.number, let due = dueTime else { return }
        let rest = due - scheduler.now
        guard rest <= .zero else { return plan(after: rest) }
        guard !serializer.lifetime.isSuspended else {
            return serializer.runWhenResumed { [self] in finish(number, resumed) }
        }
        isPending = false
        dueTime = nil
        action(self)
    }
}
