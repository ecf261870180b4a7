import Schedulers

/// An action on a scheduler that is cancelled with its lifetime, and removed once it has started.
@usableFromInline
final class ScheduledStart: LifetimeMember, @unchecked Sendable {
    // Law 4: `PlannedAction` is thread-safe, and the other stored properties are constants.
    private let planned = PlannedAction()
    private let scheduler: any Scheduler
    private let timer: ProbedTimer?
    private let parks: Bool
    private let action: @Sendable () -> Void

    /// Runs `action` on `scheduler`, after `delay` if there is one, unless `lifetime` is disposed earlier. If the lifetime is suspended
    /// then, the action runs on `scheduler` once it is resumed, unless it never `parks`.
    @usableFromInline
    static func plan(
        in lifetime: Lifetime, on scheduler: any Scheduler, after delay: Duration? = nil, parks: Bool = true,
        _ action: @escaping @Sendable () -> Void
    ) {
        let timer = delay.map { _ in ProbedTimer(on: scheduler) }
        let start = ScheduledStart(in: lifetime, on: scheduler, timer, parks: parks, action)
        guard start.attach() else { return }
        if let delay { timer?.start(after: delay) }
        start.plan(after: delay)
    }

    private init(
        in lifetime: Lifetime, on scheduler: any Scheduler, _ timer: ProbedTimer?, parks: Bool, _ action: @escaping @Sendable () -> Void
    ) {
        (self.scheduler, self.timer, self.parks, self.action) = (scheduler, timer, parks, action)
        super.init(parent: lifetime)
    }

    private func plan(after delay: Duration?) {
        planned.plan { delay.map { scheduler.schedule(after: $0, begin) } ?? scheduler.schedule(begin) }
    }

    private func begin() {
        timer?.start(at: nil)
        if parks, let parent, parent.isSuspended {
            return parent.whenResumed { [self] in plan(after: nil) }
        }
        detach()
        action()
    }

    @usableFromInline
    override func tearDown() {
        planned.dispose()
    }
}
