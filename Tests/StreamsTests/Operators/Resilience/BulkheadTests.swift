import Foundation
import StreamsTesting
import Testing

@testable import Streams

@Suite("Bulkheads", .countsResources)
struct BulkheadTests {
    private let time = TestScheduler()

    /// A request that takes so many ticks.
    private func request(_ ticks: Int) -> Observable<Int> {
        .timer(.seconds(ticks), scheduler: time).map { _ in ticks }
    }

    private func bulkhead(_ running: Int, queue: Int, maxWait: Duration? = nil) -> Bulkhead {
        Bulkhead(maxConcurrent: running, queueCapacity: queue, maxWait: maxWait, scheduler: time)
    }

    @Test func `As many run as are permitted, the others follow in the order of their subscriptions`() {
        let bulkhead = bulkhead(2, queue: 10)
        let observer = time.observer(of: Int.self)
        let subscriptions = [5, 2, 4, 1].map { request($0).bulkhead(bulkhead).subscribe(onNext: { observer.onNext($0) }) }
        #expect(bulkhead.currentMetrics.running == 2 && bulkhead.currentMetrics.queued == 2)
        time.run()
        observer.expect([.next(2, 2), .next(5, 5), .next(6, 4), .next(6, 1)])
        #expect(bulkhead.currentMetrics.permitted == 4 && bulkhead.currentMetrics.running == 0)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `A subscription beyond the queue fails with the bounds, and subscribes to nothing`() {
        let bulkhead = bulkhead(1, queue: 1)
        let running = Observable<Int>.never().bulkhead(bulkhead).subscribe { _ in }
        let queued = Observable<Int>.never().bulkhead(bulkhead).subscribe { _ in }
        let rejected = TestObserver<Int>()
        let subscription = Observable<Int>.create { _ in
            Issue.record("subscribed")
            return Disposables.create()
        }.bulkhead(bulkhead).subscribe(rejected)
        #expect(rejected.error as? Bulkhead.Failure == .full(maxConcurrent: 1, queueCapacity: 1))
        #expect(rejected.error?.localizedDescription == "The bulkhead is full: 1 are running and 1 are queued.")
        #expect(bulkhead.currentMetrics.rejected == 1)
        for subscription in [running, queued, subscription] { subscription.dispose() }
        #expect(bulkhead.currentMetrics.running == 0 && bulkhead.currentMetrics.queued == 0)
    }

    @Test func `A source that is disposed on another thread while it is being started keeps its permit until the start returns`() {
        let bulkhead = bulkhead(1, queue: 1)
        let (stop, hasFollowerStarted, bag) = (PublishSubject<Void>(), BehaviorRelay(value: false), DisposeBag())
        let follower = Observable<Int>.never().do(onSubscribe: { hasFollowerStarted.accept(true) }).bulkhead(bulkhead)
        let source = Observable<Int>.create { _ in
            follower.subscribe { _ in }.disposed(by: bag)
            let stopped = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                stop.onNext(())
                stopped.signal()
            }
            stopped.wait()
            #expect(!hasFollowerStarted.value)
            return Disposables.create()
        }
        source.bulkhead(bulkhead).take(until: stop).subscribe { _ in }.disposed(by: bag)
        #expect(hasFollowerStarted.value)
        #expect(bulkhead.currentMetrics.running == 1)
    }

    @Test func `A disposed subscription leaves the queue, and a running one passes its permit on`() {
        let bulkhead = bulkhead(1, queue: 2)
        let started = BehaviorRelay(value: [Int]())
        let subscriptions = (0..<3).map { number in
            Observable<Int>.never().do(onSubscribe: { started.update { $0.append(number) } }).bulkhead(bulkhead).subscribe { _ in }
        }
        subscriptions[1].dispose()
        #expect(bulkhead.currentMetrics.queued == 1)
        subscriptions[0].dispose()
        #expect(started.value == [0, 2])
        subscriptions[2].dispose()
        #expect(bulkhead.currentMetrics.running == 0)
    }

    @Test func `A request that waits for too long fails with the limit, and one that has started does not`() {
        let bulkhead = bulkhead(1, queue: 9, maxWait: .seconds(3))
        let (second, third) = (time.observer(of: Int.self), time.observer(of: Int.self))
        let subscriptions = [
            request(2).bulkhead(bulkhead).subscribe { _ in }, request(5).bulkhead(bulkhead).subscribe(second),
            request(1).bulkhead(bulkhead).subscribe(third),
        ]
        time.run()
        second.expect([.next(7, 5), .completed(7)])
        third.expect([.error(3, Bulkhead.Failure.timedOut(after: .seconds(3)))])
        #expect(bulkhead.currentMetrics.timedOut == 1 && time.isIdle)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `A retry finds the permit of its own failed attempt free`() {
        let attempts = BehaviorRelay(value: 0)
        let failing = Observable<Int>.deferred {
            attempts.update { $0 += 1 }
            return .error(TestError.failed)
        }
        let observer = TestObserver<Int>()
        let subscription = failing.bulkhead(bulkhead(1, queue: 0)).retry(3).subscribe(observer)
        #expect(attempts.value == 3 && observer.error as? TestError == .failed)
        subscription.dispose()
    }

    @Test func `What a failure disposes is not started by the permit that it frees`() {
        let bulkhead = bulkhead(1, queue: 9)
        let started = BehaviorRelay(value: 0)
        let requests = Observable.of(1, 2, 3).flatMap { number in
            Observable<Int>.timer(.seconds(1), scheduler: self.time).map { _ in throw TestError.failed }
                .do(onSubscribe: { started.update { $0 += 1 } }).bulkhead(bulkhead)
        }
        let observer = time.start { requests }
        #expect(observer.error as? TestError == .failed && started.value == 1)
        #expect(bulkhead.currentMetrics.running == 0 && bulkhead.currentMetrics.queued == 0)
    }

    @Test func `Queued sources that complete synchronously do not grow the stack`() {
        onThread {
            let bulkhead = Bulkhead(maxConcurrent: 1, queueCapacity: .max)
            let gate = PublishSubject<Int>()
            let done = Tally()
            let first = gate.bulkhead(bulkhead).subscribe { _ in }
            let others = (0..<20_000).map { _ in Observable.just(1).bulkhead(bulkhead).subscribe(onNext: { done.add($0) }) }
            gate.onCompleted()
            #expect(done.value == 20_000)
            for subscription in others { subscription.dispose() }
            first.dispose()
        }
    }

    @Test func `The figures begin with the current ones and follow each change`() {
        let bulkhead = bulkhead(1, queue: 1)
        let seen = TestObserver<[Int]>()
        let watching = bulkhead.metrics.map { [$0.running, $0.queued, $0.permitted, $0.rejected] }.subscribe(seen)
        let source = PublishSubject<Int>()
        let subscriptions = (0..<3).map { _ in source.bulkhead(bulkhead).subscribe { _ in } }
        subscriptions[0].dispose()
        source.onCompleted()
        #expect(seen.values == [[0, 0, 0, 0], [1, 0, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 2, 1], [0, 0, 2, 1]])
        for subscription in subscriptions { subscription.dispose() }
        watching.dispose()
    }

    @Test(arguments: [Int.min, -1, 0]) func `Numbers out of range are clamped`(number: Int) {
        let bulkhead = bulkhead(number, queue: number, maxWait: .seconds(number))
        #expect(bulkhead.currentMetrics.maxConcurrent == 1 && bulkhead.currentMetrics.queueCapacity == 0)
        let observer = TestObserver<Int>()
        let subscription = Observable.just(1).bulkhead(bulkhead).subscribe(observer)
        #expect(observer.values == [1] && observer.isCompleted)
        subscription.dispose()
    }

    @Test func `Whatever subscribes, completes and is disposed on two threads, the bound holds and every permit is returned`() {
        let bulkhead = Bulkhead(maxConcurrent: 2, queueCapacity: .max)
        let running = Lock((now: 0, most: 0))
        let source = Observable<Int>.create { observer in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            observer.onNext(1)
            return Disposables.create { running.withLock { $0.now -= 1 } }
        }.bulkhead(bulkhead)
        race(rounds: 2_000) {
            (gate: PublishSubject<Int>(), holders: (0..<4).map { _ in SingleAssignmentDisposable() }, answered: Tally())
        } _: { round in
            round.holders[0].setDisposable(source.subscribe { _ in })
            round.holders[1].setDisposable(source.subscribe(onNext: { round.answered.add($0) }))
            round.holders[0].dispose()
        } against: { round in
            round.holders[2].setDisposable(source.subscribe { _ in })
            round.holders[3].setDisposable(source.subscribe(onNext: { round.answered.add($0) }))
            round.holders[2].dispose()
        } check: { round in
            #expect(round.answered.value == 2)
            for holder in round.holders { holder.dispose() }
            #expect(bulkhead.currentMetrics.running == 0 && bulkhead.currentMetrics.queued == 0)
        }
        let (now, most) = running.withLock { $0 }
        #expect(now == 0 && (1...2).contains(most))
    }

    @Test func `A request that is granted on one thread while it is disposed on another gives its permit to the next`() {
        let bulkhead = Bulkhead(maxConcurrent: 1, queueCapacity: 9)
        race(rounds: 2_000) {
            let gate = PublishSubject<Int>()
            let last = TestObserver<Int>()
            return (
                gate: gate, last: last, running: gate.bulkhead(bulkhead).subscribe { _ in },
                queued: Observable<Int>.never().bulkhead(bulkhead).subscribe { _ in },
                behind: Observable.just(1).bulkhead(bulkhead).subscribe(last)
            )
        } _: { round in
            round.gate.onCompleted()
        } against: { round in
            round.queued.dispose()
        } check: { round in
            #expect(round.last.values == [1])
            #expect(bulkhead.currentMetrics.running == 0 && bulkhead.currentMetrics.queued == 0)
            round.running.dispose()
            round.behind.dispose()
        }
    }
}
