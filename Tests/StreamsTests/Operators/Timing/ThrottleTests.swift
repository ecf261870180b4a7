import Streams
import StreamsTesting
import Testing

@Suite("throttle", .onOneThread, .countsResources) struct ThrottleTests {
    @Test func `A throttle timer superseded while it fired does not emit the next trailing element too early`() {
        let late = ManualScheduler(runsDisposed: true)
        let subject = PublishSubject<Int>()
        let received = TestObserver<Int>()
        let subscription = subject.throttle(.seconds(3), scheduler: late).subscribe(received)
        for (second, element) in [(1, 1), (2, 2), (5, 3), (6, 4)] {
            late.time.withLock { $0 = .seconds(second) }
            subject.onNext(element)
        }
        late.step()
        #expect(received.values == [1, 3])
        late.time.withLock { $0 = .seconds(8) }
        late.step()
        #expect(received.values == [1, 3, 4])
        // The timer that came too early was planned anew, for what has been emitted by now.
        late.step()
        #expect(received.values == [1, 3, 4])
        subscription.dispose()
    }
}
