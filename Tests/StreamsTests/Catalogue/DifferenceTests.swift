import Streams
import StreamsTesting
import Testing

/// What the pages say that operators do here, and other libraries do otherwise under the same name.
@Suite("The differences from other libraries", .onOneThread, .countsResources)
struct DifferenceTests {
    private let numbers = PublishSubject<Int>()

    @Test func `An element that is its own boundary begins the next array, and the next window`() {
        let ends = numbers.filter { $0 == 0 }
        let (arrays, windows) = (TestObserver<[Int]>(), TestObserver<[Int]>())
        _ = numbers.buffer(boundary: ends).subscribe(arrays)
        _ = numbers.window(boundary: ends).flatMap { $0.toArray() }.subscribe(windows)
        for number in [1, 0, 2] { numbers.onNext(number) }
        numbers.onCompleted()
        #expect(arrays.values == [[1], [0, 2]])
        #expect(windows.values == [[1], [0, 2]])
    }

    @Test func `takeLast(0) subscribes, and completes when upstream does`() {
        let last = TestObserver<Int>()
        _ = numbers.takeLast(0).subscribe(last)
        numbers.onNext(1)
        #expect(last.events.isEmpty)
        numbers.onCompleted()
        #expect(last.events.map(\.event.isCompleted) == [true])
    }

    @Test func `retry(when:) calls its closure before the first attempt`() {
        let log = Output()
        let attempt = Observable.just(1).do(onSubscribe: { log.print("attempt") })
        let retried = attempt.retry(when: { errors in
            log.print("closure")
            return errors.do(onSubscribe: { log.print("its stream") })
        })
        #expect(received(retried) == ["1", "|"])
        #expect(log.lines == ["closure", "its stream", "attempt"])
    }

    @Test func `expand emits an element when it is received, although its stream waits`() {
        let waiting = Observable.of(1, 2).expand(maxConcurrent: 1) { _ in .never() }
        #expect(received(waiting) == ["1", "2"])
    }

    @Test func `throttle without latest drops the elements that it skips`() throws {
        let scheduler = TestScheduler()
        let letters = try scheduler.hot("-abc--d---e|", of: String.self)
        scheduler.start { letters.throttle(.seconds(4), latest: false, scheduler: scheduler) }.expect("-a----d---e|")
    }

    @Test(arguments: [("-a-|", "----(a|)"), ("-a---b---c|", "----a---b---(c|)")])
    func `sample at an interval completes at the next of its times`(source: String, expected: String) throws {
        let scheduler = TestScheduler()
        let letters = try scheduler.hot(source, of: String.self)
        scheduler.start { letters.sample(.seconds(4), scheduler: scheduler) }.expect(expected)
    }

    @Test func `A source behind replay and autoconnect is kept without subscribers, behind share it is not`() {
        let kept = numbers.replay(1).autoconnect()
        let shared = numbers.share(replay: 1)
        for stream in [kept, shared] { stream.subscribe(onNext: { _ in }).dispose() }
        #expect(numbers.hasObservers)
        numbers.onNext(7)
        #expect(received(kept.take(1)) == ["7", "|"])
        #expect(received(shared) == [])
        numbers.onCompleted()
        #expect(received(kept) == ["7", "|"])
    }

    @Test func `The closure of distinct is a key, not a predicate`() {
        #expect(received(Observable.of(1, 2, 3, 1, 4).distinct { $0 > 2 }) == ["1", "3", "|"])
    }
}
