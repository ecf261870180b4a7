import StreamsTesting
import Testing

@testable import Streams

@Suite("Circuit breakers", .countsResources)
struct CircuitBreakerTests {
    private let time = TestScheduler()

    private func breaker(
        _ threshold: CircuitBreaker.Threshold = .consecutiveFailures(1), openFor: Duration = .seconds(10), trials: Int = 1
    ) -> CircuitBreaker {
        CircuitBreaker(threshold, openFor: openFor, trialCalls: trials, scheduler: time) { $0 as? TestError == .failed }
    }

    /// Calls once, synchronously, and gives the error.
    @discardableResult
    private func call(_ breaker: CircuitBreaker, _ source: Observable<Int>) -> (any Error)? {
        let observer = TestObserver<Int>()
        source.circuitBreaker(breaker).subscribe(observer).dispose()
        return observer.error
    }

    private let failure = Observable<Int>.error(TestError.failed)
    private let success = Observable.just(1)

    @Test func `It opens at the failures in a row, rejects, permits a trial after its time, and closes when that succeeds`() {
        let breaker = breaker(.consecutiveFailures(2))
        let states = TestObserver<CircuitBreaker.State>()
        let watching = breaker.state.subscribe(states)
        for source in [failure, success, failure, failure] { call(breaker, source) }
        time.advance(to: 4)
        #expect(call(breaker, success) as? CircuitBreaker.Failure == .open(retryAfter: .seconds(6)))
        time.advance(to: 10)
        #expect(call(breaker, success) == nil)
        #expect(states.values == [.closed, .open, .halfOpen, .closed])
        let metrics = breaker.currentMetrics
        #expect([metrics.permitted, metrics.rejected, metrics.succeeded, metrics.failed, metrics.opened] == [5, 1, 2, 3, 1])
        watching.dispose()
    }

    @Test func `A failed trial opens it for another time`() {
        let breaker = breaker()
        call(breaker, failure)
        time.advance(to: 10)
        #expect(call(breaker, failure) as? TestError == .failed)
        time.advance(to: 19)
        #expect(call(breaker, success) as? CircuitBreaker.Failure == .open(retryAfter: .seconds(1)))
        #expect(breaker.currentMetrics.opened == 2)
    }

    @Test func `Half open, it permits so many trials at once, and closes when all of them have succeeded`() {
        let breaker = breaker(openFor: .zero, trials: 2)
        call(breaker, failure)
        let sources = (0..<3).map { _ in PublishSubject<Int>() }
        let observers = sources.map { _ in TestObserver<Int>() }
        let subscriptions = zip(sources, observers).map { $0.circuitBreaker(breaker).subscribe($1) }
        #expect(observers[2].error as? CircuitBreaker.Failure == .halfOpen(trialCalls: 2))
        sources[0].onCompleted()
        #expect(breaker.currentMetrics.state == .halfOpen)
        #expect(call(breaker, success) as? CircuitBreaker.Failure == .halfOpen(trialCalls: 2))
        sources[1].onNext(1)
        #expect(breaker.currentMetrics.state == .closed)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `A trial that is disposed leaves its place to another; after an element it has succeeded`() {
        let breaker = breaker(openFor: .zero)
        call(breaker, failure)
        let trial = Observable<Int>.never().circuitBreaker(breaker)
        trial.subscribe { _ in }.dispose()
        #expect(breaker.currentMetrics.state == .halfOpen && breaker.currentMetrics.cancelled == 1)
        let answered = Observable.just(1).concat(Observable.never()).circuitBreaker(breaker)
        let second = trial.subscribe { _ in }
        #expect(call(breaker, success) as? CircuitBreaker.Failure == .halfOpen(trialCalls: 1))
        second.dispose()
        answered.subscribe { _ in }.dispose()
        #expect(breaker.currentMetrics.state == .closed && breaker.currentMetrics.succeeded == 1)
    }

    @Test func `A trial that fails after its first element counts as a call of the closed breaker`() {
        let breaker = breaker(openFor: .zero)
        call(breaker, failure)
        let source = PublishSubject<Int>()
        let subscription = source.circuitBreaker(breaker).subscribe { _ in }
        source.onNext(1)
        #expect(breaker.currentMetrics.state == .closed)
        source.onError(TestError.failed)
        #expect(breaker.currentMetrics.state == .open && breaker.currentMetrics.opened == 2)
        subscription.dispose()
    }

    @Test func `An error that is no failure is a success, and a disposal is neither`() {
        let breaker = breaker()
        #expect(call(breaker, .error(Aborter.OperationAborted())) as? Aborter.OperationAborted != nil)
        Observable<Int>.never().circuitBreaker(breaker).subscribe { _ in }.dispose()
        let metrics = breaker.currentMetrics
        #expect(metrics.state == .closed && metrics.succeeded == 1 && metrics.cancelled == 1 && metrics.failed == 0)
    }

    @Test func `A call that began before the breaker opened does not count in a later state`() {
        let breaker = breaker(openFor: .zero)
        let (slow, trial) = (PublishSubject<Int>(), PublishSubject<Int>())
        let first = slow.circuitBreaker(breaker).subscribe { _ in }
        call(breaker, failure)
        let second = trial.circuitBreaker(breaker).subscribe { _ in }
        slow.onError(TestError.failed)
        #expect(breaker.currentMetrics.state == .halfOpen && breaker.currentMetrics.failed == 2)
        trial.onCompleted()
        #expect(breaker.currentMetrics.state == .closed)
        first.dispose()
        second.dispose()
    }

    @Test func `Failures count within their window, however many calls succeed meanwhile`() {
        let breaker = breaker(.failures(3, within: .seconds(10)))
        for tick in [0, 5, 11] {
            time.advance(to: tick)
            call(breaker, failure)
            call(breaker, success)
        }
        #expect(breaker.currentMetrics.state == .closed)
        time.advance(to: 15)
        call(breaker, failure)
        #expect(breaker.currentMetrics.state == .open)
    }

    @Test func `A rate counts from a number of calls on, over the last time`() {
        let breaker = breaker(.failureRate(0.5, within: .seconds(10), minimumCalls: 4))
        for source in [failure, failure, failure] { call(breaker, source) }
        #expect(breaker.currentMetrics.state == .closed)
        time.advance(to: 11)
        for source in [success, success, success, failure, failure] { call(breaker, source) }
        #expect(breaker.currentMetrics.state == .closed)
        call(breaker, failure)
        #expect(breaker.currentMetrics.state == .open)
    }

    @Test func `Forced open it rejects until it is reset, which forgets the failures`() {
        let breaker = breaker(.consecutiveFailures(2), openFor: .zero)
        call(breaker, failure)
        breaker.forceOpen()
        time.advance(to: 1_000)
        #expect(call(breaker, success) as? CircuitBreaker.Failure == .forcedOpen)
        breaker.reset()
        call(breaker, failure)
        #expect(breaker.currentMetrics.state == .closed && breaker.currentMetrics.opened == 0)
        call(breaker, failure)
        #expect(breaker.currentMetrics.state == .open)
    }

    @Test(arguments: ExtremeValues.times) func `No number and no time makes it trap, or stops it from opening`(span: Duration) {
        for count in ExtremeValues.counts {
            for rate in [Double.nan, .infinity, -1, 0, 0.5, 2] {
                let thresholds: [CircuitBreaker.Threshold] = [
                    .consecutiveFailures(count), .failures(count, within: span),
                    .failureRate(rate, within: span, minimumCalls: count),
                ]
                for threshold in thresholds {
                    let breaker = CircuitBreaker(threshold, openFor: span, trialCalls: count, scheduler: time)
                    for _ in 0..<3 { call(breaker, failure) }
                    #expect((breaker.currentMetrics.opened > 0) == (count <= 1))
                }
            }
        }
    }

    @Test func `Two trials that end on two threads leave it closed, and their places free`() {
        race(rounds: 2_000) {
            let breaker = CircuitBreaker(.consecutiveFailures(1), openFor: .zero, trialCalls: 2, scheduler: VirtualTimeScheduler())
            Observable<Int>.error(TestError.failed).circuitBreaker(breaker).subscribe { _ in }.dispose()
            let sources = (0..<2).map { _ in PublishSubject<Int>() }
            return (breaker: breaker, sources: sources, trials: sources.map { $0.circuitBreaker(breaker).subscribe { _ in } })
        } _: { round in
            round.sources[0].onNext(1)
            round.trials[0].dispose()
        } against: { round in
            round.sources[1].onCompleted()
        } check: { round in
            #expect(round.breaker.currentMetrics.state == .closed && round.breaker.currentMetrics.succeeded == 2)
            for trial in round.trials { trial.dispose() }
        }
    }

    @Test func `A call that ends on one thread while it is disposed on another counts once`() {
        let breaker = CircuitBreaker(.consecutiveFailures(.max), openFor: .zero, scheduler: VirtualTimeScheduler())
        race(rounds: 2_000) {
            let source = PublishSubject<Int>()
            return (source: source, subscription: source.circuitBreaker(breaker).subscribe { _ in })
        } _: { round in
            round.source.onError(TestError.failed)
        } against: { round in
            round.subscription.dispose()
        } check: { _ in
            let metrics = breaker.currentMetrics
            #expect(metrics.failed + metrics.cancelled == metrics.permitted)
        }
    }
}
