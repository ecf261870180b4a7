import Streams
import StreamsTesting
import Testing

@Suite("share", .onOneThread, .countsResources) struct ShareTests {
    @Test(arguments: [0, 1, 3]) func `A deallocated subject releases the subscribers of its shared stream`(replay: Int) {
        weak var token: Token?
        let shared: Observable<Int>
        do {
            let held = Token()
            token = held
            let subject = PublishSubject<Int>()
            shared = subject.map { $0 + 1 }.share(replay: replay)
            _ = shared.share().subscribe { _ in withExtendedLifetime(held) {} }
            subject.onNext(1)
            #expect(token != nil)
        }
        #expect(token == nil)
        shared.subscribe { event in #expect(event.element == 2) }.dispose()
    }

    @Test func `A shared stream whose subject was deallocated keeps its subscribers while another source may still emit`() {
        let stop = PublishSubject<Void>()
        let observer = TestObserver<Int>()
        var subject: PublishSubject<Int>? = PublishSubject()
        let shared = subject?.take(until: stop).share()
        let subscription = shared?.subscribe(observer)
        subject?.onNext(1)
        subject = nil
        stop.onNext(())
        #expect(observer.events.map(\.event) == [.next(1), .completed])
        subscription?.dispose()
    }

    @Test
    func `A subject that is kept beyond its termination replays that to late subscribers without another subscription to the source`() {
        for replay in [0, 1] {
            let scheduler = TestScheduler()
            let source = scheduler.cold([.next(1, 7), .completed(2)] as [Recorded<Int>])
            let shared = source.share(replay: replay, scope: .forever)
            let first = scheduler.start { shared }
            let late = scheduler.observer(of: Int.self)
            shared.subscribe(late).dispose()
            #expect(first.events.count == 2)
            #expect(late.values == (replay == 0 ? [] : [7]))
            #expect(late.events.last?.event.isStopEvent == true)
            #expect(source.subscriptions.count == 1)
        }
    }

    @Test func `A retry behind a failed flatMap of a shared request sends the request anew`() {
        let requests = Tally()
        let shared = Observable<Int>.create { observer in
            requests.add()
            observer.onNext(1)
            return Disposables.create()
        }.share(replay: 1)
        let stream = shared.flatMap { _ in Observable<Int>.error(Received.Failure()) }.share().retry(3)
        #expect(received(stream) == ["# Failure()"])
        #expect(requests.value == 3)
    }
}
