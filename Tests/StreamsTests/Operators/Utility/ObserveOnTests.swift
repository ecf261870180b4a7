import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct ObserveOnTests {
    @Test func `observe(on:) dispatches a burst once`() {
        let (queue, observer) = (ManualScheduler(), TestObserver<Int>())
        let subscription = Observable.range(start: 0, count: 1_000).observe(on: queue).subscribe(observer)
        #expect(queue.step() && observer.isCompleted)
        #expect(!queue.step())
        subscription.dispose()
    }

    @Test func `observe(on:) delivers synchronously on its own scheduler`() {
        #expect(received(Observable.of(1, 2).observe(on: ImmediateScheduler.instance)) == ["1", "2", "|"])
    }
}
