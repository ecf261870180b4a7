import StreamsTesting
import Testing

/// What RxSwift does otherwise: each of these is said on the page for those who come from there.
@Suite("Otherwise than RxSwift", .countsResources)
struct RxSwiftDifferenceTests {
    private let scheduler = TestScheduler()
    private let log = Output()

    @Test func `skip(until:) completes with a source that completes before the notifier emits`() throws {
        let source = try scheduler.hot("1-2|", of: Int.self)
        let notifier = try scheduler.hot("--------1", of: Int.self)
        scheduler.start { source.skip(until: notifier) }.expect("---|")
        notifier.expectSubscriptions("^--!")
    }

    @Test(arguments: [true, false])
    func `All that is due is delivered in one action of the scheduler, the terminal event included`(isDelayed: Bool) {
        let subject = PublishSubject<Int>()
        let stream = isDelayed ? subject.delay(.seconds(1), scheduler: scheduler) : subject.observe(on: scheduler)
        stream.subscribe(
            onNext: { [log, scheduler] element in
                log.print("\(element)")
                _ = scheduler.schedule { log.print("after \(element)") }
            }, onCompleted: { [log] in log.print("completed") }
        ).disposed(by: bag)
        for element in 1...2 { subject.onNext(element) }
        subject.onCompleted()
        scheduler.run()
        #expect(log.lines == ["1", "2", "completed", "after 1", "after 2"])
    }

    @Test func `A subscriber that is satisfied by other elements never subscribes to the source`() {
        let subscriptions = Tally()
        let source = Observable<Int>.never().do(onSubscribe: { subscriptions.add() })
        #expect(received(source.startWith(1).take(1)) == ["1", "|"])
        #expect(received(Observable.merge(.just(1), source).take(1)) == ["1", "|"])
        #expect(subscriptions.value == 0)
    }

    @Test func `buffer starts its next time span before it emits`() {
        Observable<Int>.never().buffer(timeSpan: .seconds(2), count: 9, scheduler: scheduler).subscribe(onNext: { [log, scheduler] _ in
            log.print("buffer")
            _ = scheduler.schedule(after: .seconds(2)) { log.print("two seconds later") }
        }).disposed(by: bag)
        scheduler.advance(to: 4)
        #expect(log.lines == ["buffer", "buffer", "two seconds later"])
    }

    @Test func `An element at the instant of a timeout is in time if it was scheduled before the timer looked again`() {
        let subject = PublishSubject<Int>()
        let observer = scheduler.observer(of: Int.self)
        subject.timeout(.seconds(5), scheduler: scheduler).subscribe(observer).disposed(by: bag)
        scheduler.schedule(at: 3) { subject.onNext(1) }
        scheduler.schedule(at: 4) { [scheduler] in _ = scheduler.schedule(after: .seconds(4)) { subject.onNext(2) } }
        scheduler.run()
        observer.expect([.next(3, 1), .next(8, 2), .error(13, StreamError.timeout(after: .seconds(5)))])
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

    @Test func `onDispose of do follows afterError, also if an operator behind it goes on with another stream`() {
        let stream = Observable<Int>.error(Received.Failure())
            .do(afterError: { [log] _ in log.print("afterError") }, onDispose: { [log] in log.print("onDispose") })
            .catchAndReturn(1)
        stream.subscribe(onNext: { [log] element in log.print("\(element)") }).dispose()
        #expect(log.lines == ["1", "afterError", "onDispose"])
    }

    private let bag = DisposeBag()
}
