import Streams
import StreamsTesting
import Testing

@Suite("observe(on:)", .countsResources) struct ObserveOnTests {
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

    @Test(arguments: [true, false])
    func `All that is due is delivered in one action of the scheduler, the terminal event included`(isDelayed: Bool) {
        let (scheduler, log, bag) = (TestScheduler(), Output(), DisposeBag())
        let subject = PublishSubject<Int>()
        let stream = isDelayed ? subject.delay(.seconds(1), scheduler: scheduler) : subject.observe(on: scheduler)
        stream.subscribe(
            onNext: { element in
                log.print("\(element)")
                _ = scheduler.schedule { log.print("after \(element)") }
            }, onCompleted: { log.print("completed") }
        ).disposed(by: bag)
        for element in 1...2 { subject.onNext(element) }
        subject.onCompleted()
        scheduler.run()
        #expect(log.lines == ["1", "2", "completed", "after 1", "after 2"])
    }
}
