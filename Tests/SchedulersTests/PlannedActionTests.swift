import Schedulers
import StreamsTesting
import Testing

@Suite("Planned actions", .countsResources)
final class PlannedActionTests: Sendable {
    private let scheduler = VirtualTimeScheduler()
    private let planned = PlannedAction()
    private let log = Lock<[String]>([])

    private func plan(_ name: String, after seconds: Int) {
        planned.plan { scheduler.schedule(after: .seconds(seconds)) { [self] in log.withLock { $0.append(name) } } }
    }

    @Test func `A cancelled action does not run, and another can be planned`() {
        plan("first", after: 1)
        planned.cancel()
        plan("second", after: 2)
        scheduler.run()
        #expect(log.withLock { $0 } == ["second"])
        #expect(scheduler.now == .seconds(2))
    }

    @Test func `After the disposal nothing runs, and nothing is scheduled`() {
        plan("first", after: 1)
        planned.dispose()
        plan("second", after: 1)
        let isDisposed = planned.isDisposed
        #expect(isDisposed)
        #expect(scheduler.isIdle)
    }

    @Test func `An action that runs while it is being scheduled can plan the next one, which stays pending`() {
        planned.plan {
            plan("next", after: 1)
            return scheduler.schedule { [self] in log.withLock { $0.append("outer") } }
        }
        planned.cancel()
        scheduler.run()
        // The outer one was replaced before it was known: it runs, as one that has run already would have.
        #expect(log.withLock { $0 } == ["outer"])
    }

    @Test func `An action that is scheduled while it is being disposed is disposed at once`() {
        planned.plan {
            planned.dispose()
            return scheduler.schedule { [self] in log.withLock { $0.append("late") } }
        }
        #expect(scheduler.isIdle)
        #expect(log.withLock { $0.isEmpty })
    }
}
