import StreamsTesting
import Testing

@testable import Streams

@Suite("Cached and collapsed requests", .countsResources)
struct CacheTests {
    private let time = TestScheduler()

    /// A request that takes two ticks, counts itself and answers with its number.
    private func request(_ count: Tally) -> Observable<Int> {
        .deferred { [time] in
            let number = count.add()
            return Observable<Int>.timer(.seconds(2), scheduler: time).map { _ in number }
        }
    }

    private func values(_ stream: Observable<Int>) -> [Int] {
        let observer = TestObserver<Int>()
        stream.subscribe(observer).dispose()
        return observer.values
    }

    @Test func `An element is used for its time, and then a new request is sent`() {
        let count = Tally()
        let cached = request(count).cacheLatest(for: .seconds(5), scheduler: time)
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
        let stream = request(count).cacheLatest(0, in: cache)
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

    @Test func `Equal requests in flight are one, other keys are others, and the figures tell`() {
        let (requests, count, observer) = (Collapser<String, Int>(), Tally(), time.observer(of: Int.self))
        let subscriptions = ["a", "a", "b", "a"].map { key in
            request(count).collapse(key, in: requests).subscribe(onNext: { observer.onNext($0) })
        }
        #expect(requests.currentMetrics == .init(subscriptions: 4, requests: 2, inFlight: 2))
        subscriptions[0].dispose()
        time.advance(to: 2)
        #expect(observer.values.sorted() == [1, 1, 2])
        #expect(requests.currentMetrics.inFlight == 0)
        let again = request(count).collapse("a", in: requests).subscribe { _ in }
        #expect(count.value == 3)
        again.dispose()
        #expect(time.isIdle)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `Who joins later receives everything, and an error reaches all`() throws {
        let source = try time.cold("-1-2-3#", of: Int.self)
        let requests = Collapser<Int, Int>()
        let stream = source.collapse(0, in: requests)
        let early = stream.subscribe { _ in }
        time.advance(to: 4)
        let late = time.observer(of: Int.self)
        let subscription = stream.subscribe(late)
        time.advance(to: 9)
        late.expect([.next(4, 1), .next(4, 2), .next(5, 3), .error(6, TestError.failed)])
        source.expectSubscriptions("^-----!")
        early.dispose()
        subscription.dispose()
    }

    @Test func `A retry after a common failure sends one new request for all`() {
        let (requests, count, observer) = (Collapser<Int, Int>(), Tally(), time.observer(of: Int.self))
        let failing = request(count).map { $0 == 1 ? try { throw TestError.failed }() : $0 }
        let stream = failing.collapse(0, in: requests).retry(.delay(.seconds(1), maxAttempts: 2), scheduler: time)
        let subscriptions = (0..<3).map { _ in stream.subscribe(onNext: { observer.onNext($0) }) }
        time.run()
        observer.expect([.next(5, 2), .next(5, 2), .next(5, 2)])
        #expect(count.value == 2)
        for subscription in subscriptions { subscription.dispose() }
    }

    /// Keys with one hash, so that equality decides.
    private struct Colliding: Hashable {
        let number: Int
        func hash(into hasher: inout Hasher) {}
    }

    @Test func `Keys whose hashes collide are told apart`() {
        let requests = Collapser<Colliding, Int>()
        let observer = TestObserver<Int>()
        let subscriptions = (0..<20).map { number in
            request(Tally()).map { _ in number }.collapse(Colliding(number: number), in: requests).subscribe(onNext: { observer.onNext($0) }
            )
        }
        #expect(requests.currentMetrics.inFlight == 20)
        time.run()
        #expect(observer.values.sorted() == Array(0..<20))
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `Two threads that ask at the same time never have two requests of a key in flight, and each gets its answer`() {
        race(rounds: 2_000) {
            (requests: Collapser<Colliding, Int>(), load: Load(), answers: TestObserver<Int>(), bag: DisposeBag())
        } _: { round in
            for number in [0, 1, 0] { round.load.ask(number, round.answers, round.bag) { $0.collapse($1, in: round.requests) } }
        } against: { round in
            for number in [0, 0, 1] { round.load.ask(number, round.answers, round.bag) { $0.collapse($1, in: round.requests) } }
        } check: { round in
            #expect(round.answers.values.count == 6 && round.load.excess == 0)
            let metrics = round.requests.currentMetrics
            #expect(metrics.inFlight == 0 && metrics.subscriptions == 6 && metrics.requests == round.load.total)
        }
    }

    @Test func `A cache that is asked and changed by two threads at the same time answers all, and stores no more than it may`() {
        let cache = LatestCache<Colliding, Int>(for: .seconds(100), capacity: 1, scheduler: VirtualTimeScheduler())
        race(rounds: 2_000) {
            (load: Load(), answers: TestObserver<Int>(), bag: DisposeBag())
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
        #expect(cache.currentMetrics.hits + cache.currentMetrics.misses == 10_000)
    }

    /// Synchronous requests, and how many of a key were in flight beside another.
    private final class Load: Sendable {
        private let state = Lock((running: [0, 0], total: 0, excess: 0))

        var total: Int { state.withLock { $0.total } }
        var excess: Int { state.withLock { $0.excess } }

        func ask(
            _ number: Int, _ answers: TestObserver<Int>, _ bag: DisposeBag,
            _ share: (Observable<Int>, Colliding) -> Observable<Int>
        ) {
            let source = Observable<Int>.create { [self] observer in
                state.withLock { state in
                    state.running[number] += 1
                    state.total += 1
                    state.excess += state.running[number] > 1 ? 1 : 0
                }
                observer.onNext(number)
                state.withLock { $0.running[number] -= 1 }
                observer.onCompleted()
                return Disposables.create()
            }
            share(source, Colliding(number: number)).subscribe(onNext: { answers.onNext($0) }).disposed(by: bag)
        }
    }
}
