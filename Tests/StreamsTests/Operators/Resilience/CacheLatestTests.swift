import StreamsTesting
import Testing

@testable import Streams

@Suite("cacheLatest", .countsResources) struct CacheLatestTests {
    private let time = TestScheduler()

    private func values(_ stream: Observable<Int>) -> [Int] {
        let observer = TestObserver<Int>()
        stream.subscribe(observer).dispose()
        return observer.values
    }

    @Test func `An element is used for its time, and then a new request is sent`() {
        let count = Tally()
        let cached = time.request(count).cacheLatest(for: .seconds(5), scheduler: time)
        time.start(disposed: 3) { cached }.expect([.next(2, 1), .completed(2)])
        time.advance(to: 6)
        #expect(values(cached) == [1])
        time.advance(to: 7)
        let observer = TestObserver<Int>()
        let subscription = cached.subscribe(observer)
        time.run()
        #expect(observer.values == [2] && count.value == 2)
        subscription.dispose()
    }

    @Test func `Concurrent subscribers share one request, and the last one that is disposed cancels it`() throws {
        let source = try time.cold("--1|", of: Int.self)
        let cached = source.cacheLatest(for: .seconds(5), scheduler: time)
        let subscriptions = (0..<3).map { _ in cached.subscribe { _ in } }
        time.advance(to: 1)
        for subscription in subscriptions { subscription.dispose() }
        source.expectSubscriptions("^!")
        #expect(time.isIdle)
    }

    @Test func `An element stays when its subscriber is disposed by it, and an error is not stored`() {
        let results = Lock<[Observable<Int>]>([
            .just(1).concat(Observable.never()), .of(2).concat(Observable.error(TestError.failed)), .just(3),
        ])
        let cached = Observable<Int>.deferred { results.withLock { $0.removeFirst() } }.cacheLatest(for: .seconds(5), scheduler: time)
        #expect(values(cached.take(1)) == [1] && values(cached.take(1)) == [1])
        time.advance(by: 5)
        #expect(values(cached) == [2])
        #expect(values(cached) == [3])
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func `Without a time only concurrent subscribers share`(span: Duration) {
        let count = Tally()
        let cached = Observable<Int>.fromCallable { count.add() }.cacheLatest(for: span, scheduler: time)
        #expect(values(cached) == [1] && values(cached) == [2])
        let cache = LatestCache<Int, Int>(for: span, scheduler: time)
        #expect(values(Observable.just(1).cacheLatest(0, in: cache)) == [1])
        #expect(cache.currentMetrics.count == 0)
    }

    @Test func `A cache stores an element for each key, drops the oldest, and counts`() {
        let cache = LatestCache<String, Int>(for: .seconds(10), capacity: 2, scheduler: time)
        let count = Tally()
        func ask(_ key: String) -> [Int] {
            values(Observable<Int>.fromCallable { count.add() }.cacheLatest(key, in: cache))
        }
        #expect(["a", "b", "a", "c", "b", "a"].map(ask) == [[1], [2], [1], [3], [2], [4]])
        #expect(cache.currentMetrics == .init(capacity: 2, count: 2, subscriptions: 6, misses: 4, evicted: 2))
        #expect(cache.currentMetrics.hits == 2)
        time.advance(by: 10)
        #expect(ask("d") == [5])
        #expect(cache.currentMetrics.count == 1 && cache.currentMetrics.evicted == 2)
        cache.remove("d")
        cache.remove("unknown")
        #expect(ask("d") == [6] && cache.currentMetrics.count == 1)
        cache.removeAll()
        #expect(ask("d") == [7])
    }

    @Test func `A request in flight whose key is removed serves its subscribers, and is not stored`() {
        let cache = LatestCache<Int, Int>(for: .seconds(10), scheduler: time)
        let (count, observer) = (Tally(), TestObserver<Int>())
        let stream = time.request(count).cacheLatest(0, in: cache)
        let first = stream.subscribe(observer)
        cache.remove(0)
        let second = stream.subscribe(observer)
        time.advance(by: 2)
        #expect(observer.values.sorted() == [1, 2])
        #expect(values(stream) == [2] && count.value == 2)
        first.dispose()
        second.dispose()
    }

    @Test func `What a cache stores is released when it is removed, too old, or one too many`() {
        final class Answer: Sendable {}
        let cache = LatestCache<Int, Answer>(for: .seconds(10), capacity: 1, scheduler: time)
        weak var answer: Answer?
        func ask(_ key: Int) {
            let fresh = Answer()
            answer = fresh
            Observable.just(fresh).cacheLatest(key, in: cache).subscribe { _ in }.dispose()
        }
        ask(1)
        #expect(answer != nil)
        cache.remove(1)
        #expect(answer == nil)
        ask(2)
        weak let second = answer
        ask(3)
        #expect(second == nil && answer != nil)
        time.advance(by: 10)
        weak let third = answer
        ask(4)
        #expect(third == nil)
    }

    @Test func `A cache that is asked and changed by two threads at the same time answers all, and stores no more than it may`() {
        let cache = LatestCache<Colliding, Int>(for: .seconds(100), capacity: 1, scheduler: VirtualTimeScheduler())
        race(rounds: 2_000) {
            (load: CountedRequests(), answers: TestObserver<Int>(), bag: DisposeBag())
        } _: { round in
            for number in [0, 1, 0] { round.load.ask(number, round.answers, round.bag) { $0.cacheLatest($1, in: cache) } }
        } against: { round in
            round.load.ask(0, round.answers, round.bag) { $0.cacheLatest($1, in: cache) }
            cache.remove(Colliding(number: 0))
            round.load.ask(1, round.answers, round.bag) { $0.cacheLatest($1, in: cache) }
        } check: { round in
            #expect(round.answers.values.count == 5)
            #expect(cache.currentMetrics.count <= 1)
        }
        #expect(cache.currentMetrics.hits + cache.currentMetrics.misses == 5 * rounds(2_000))
    }
}
