import StreamsTesting
import Testing

@Suite("Restartable timers", .countsResources)
struct RestartableTimerTests {
    /// Counts the timers that are scheduled.
    private final class CountingScheduler: Scheduler {
        let time = TestScheduler()
        let timers = Tally()

        var now: Duration { time.now }

        func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable { time.schedule(action) }

        func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
            timers.add()
            return time.schedule(after: delay, action)
        }
    }

    @Test func `Elements that follow while the timer of a debounce runs schedule none, under virtual time as well`() {
        let scheduler = CountingScheduler()
        let subject = PublishSubject<Int>()
        let observer = scheduler.time.observer(of: Int.self)
        let subscription = subject.debounce(.seconds(3), scheduler: scheduler).subscribe(observer)
        for element in 1...100 { subject.onNext(element) }
        scheduler.time.schedule(at: 2) { subject.onNext(101) }
        #expect(scheduler.timers.value == 1)
        scheduler.time.run()
        observer.expect([.next(5, 101)])
        #expect(scheduler.timers.value == 2)
        subscription.dispose()
    }
}
