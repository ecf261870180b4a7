import Schedulers

/// An action on a scheduler that is cancelled with its lifetime, and removed once it has started.
final class ScheduledStart: LifetimeMember, @unchecked Sendable {
    // Law 4: `PlannedAction` is thread-safe, and nothing else is stored.
    private let planned = PlannedAction()

    /// Runs `action` on `scheduler`, after `delay` if there is one, unless `lifetime` is disposed earlier. By default it `parks` until the
    /// lifetime is no longer suspended.
    static func plan(
        in lifetime: Lifetime, on scheduler: any Scheduler, after delay: Duration? = nil, parks: Bool = true,
        _ action: @escaping @Sendable () -> Void
    ) {
        let start = ScheduledStart(parent: lifetime)
        guard start.attach() else { return }
        let timer = delay.map { _ in ProbedTimer(on: scheduler) }
        if let delay { timer?.start(after: delay) }
        let begin: @Sendable () -> Void = {
            timer?.start(at: nil)
            start.detach()
            guard parks else { return action() }
            lifetime.whenResumed {
                action()
            }
        }
        start.planned.plan { delay.map { scheduler.schedule(after: $0, begin) } ?? scheduler.schedule(begin) }
    }

    override func tearDown() {
        planned.dispose()
    }
}
