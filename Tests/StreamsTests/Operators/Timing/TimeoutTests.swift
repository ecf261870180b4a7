import Streams
import StreamsTesting
import Testing

@Suite("timeout", .onOneThread, .countsResources) struct TimeoutTests {
    @Test func `An element at the instant of a timeout is in time if it was scheduled before the timer looked again`() {
        let (scheduler, bag) = (TestScheduler(), DisposeBag())
        let subject = PublishSubject<Int>()
        let observer = scheduler.observer(of: Int.self)
        subject.timeout(.seconds(5), scheduler: scheduler).subscribe(observer).disposed(by: bag)
        scheduler.schedule(at: 3) { subject.onNext(1) }
        scheduler.schedule(at: 4) { _ = scheduler.schedule(after: .seconds(4)) { subject.onNext(2) } }
        scheduler.run()
        observer.expect([.next(3, 1), .next(8, 2), .error(13, StreamError.timeout(after: .seconds(5)))])
    }
}
