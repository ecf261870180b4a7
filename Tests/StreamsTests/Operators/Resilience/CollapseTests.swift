import StreamsTesting
import Testing

@testable import Streams

@Suite("collapse", .countsResources) struct CollapseTests {
    private let time = TestScheduler()

    @Test func `Equal requests in flight are one, other keys are others, and the figures tell`() {
        let (requests, count, observer) = (Collapser<String, Int>(), Tally(), time.observer(of: Int.self))
        let subscriptions = ["a", "a", "b", "a"].map { key in
            time.request(count).collapse(key, in: requests).subscribe(onNext: { observer.onNext($0) })
        }
        #expect(requests.currentMetrics == .init(subscriptions: 4, requests: 2, inFlight: 2))
        subscriptions[0].dispose()
        time.advance(to: 2)
        #expect(observer.values.sorted() == [1, 1, 2])
        #expect(requests.currentMetrics.inFlight == 0)
        let again = time.request(count).collapse("a", in: requests).subscribe { _ in }
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
        let failing = time.request(count).map { $0 == 1 ? try { throw TestError.failed }() : $0 }
        let stream = failing.collapse(0, in: requests).retry(.delay(.seconds(1), maxAttempts: 2), scheduler: time)
        let subscriptions = (0..<3).map { _ in stream.subscribe(onNext: { observer.onNext($0) }) }
        time.run()
        observer.expect([.next(5, 2), .next(5, 2), .next(5, 2)])
        #expect(count.value == 2)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `Keys whose hashes collide are told apart`() {
        let requests = Collapser<Colliding, Int>()
        let observer = TestObserver<Int>()
        let subscriptions = (0..<20).map { number in
            time.request(Tally()).map { _ in number }.collapse(Colliding(number: number), in: requests).subscribe(onNext: {
                observer.onNext($0)
            }
            )
        }
        #expect(requests.currentMetrics.inFlight == 20)
        time.run()
        #expect(observer.values.sorted() == Array(0..<20))
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `Two threads that ask at the same time never have two requests of a key in flight, and each gets its answer`() {
        race(rounds: 2_000) {
            (requests: Collapser<Colliding, Int>(), load: CountedRequests(), answers: TestObserver<Int>(), bag: DisposeBag())
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
}
