import Streams
import StreamsTesting
import Testing

@Suite("buffer", .onOneThread, .countsResources) struct BufferTests {
    @Test func `buffer starts its next time span before it emits`() {
        let (scheduler, log, bag) = (TestScheduler(), Output(), DisposeBag())
        Observable<Int>.never().buffer(timeSpan: .seconds(2), count: 9, scheduler: scheduler).subscribe(onNext: { _ in
            log.print("buffer")
            _ = scheduler.schedule(after: .seconds(2)) { log.print("two seconds later") }
        }).disposed(by: bag)
        scheduler.advance(to: 4)
        #expect(log.lines == ["buffer", "buffer", "two seconds later"])
    }
}
