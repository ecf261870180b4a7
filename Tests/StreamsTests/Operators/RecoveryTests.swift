import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Retries by a policy` {
    let drawing = Drawing()

    @Test func `waits, and lets upstream go before`() {
        let source = drawing.cold("-#")
        #expect(drawing.draw { source.retry(.delay(.seconds(2), maxAttempts: 3), scheduler: drawing.scheduler) } == "-------#")
        #expect(source.subscriptions == ["0-1", "3-4", "6-7"])
    }

    @Test func `errors that are not worth it go on at once`() {
        let source = drawing.cold("-1#")
        let policy = RetryPolicy.delay(.seconds(2), maxAttempts: 3).when { !($0 is Drawing.Failure) }
        #expect(drawing.draw { source.retry(policy, scheduler: drawing.scheduler) } == "-1#")
        #expect(source.subscriptions == ["0-2"])
    }

    @Test func `linear and exponential waits grow up to their cap`() {
        func waits(_ policy: RetryPolicy) -> [Int?] {
            (1...5).map { failures in policy.delay(after: Drawing.Failure(), failures: failures).map { Int($0 / .milliseconds(1)) } }
        }
        #expect(waits(.linear(step: .seconds(1), cap: .seconds(3), maxAttempts: 5)) == [1_000, 2_000, 3_000, 3_000, nil])
        let exponential = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(10), jitter: 0, maxAttempts: 9)
        #expect(waits(exponential) == [100, 200, 400, 800, 1_600])
        #expect(exponential.delay(after: Drawing.Failure(), failures: 8) == .seconds(10))
    }

    @Test func `chance shortens a wait by its part at most, and huge waits are capped`() {
        var policy = RetryPolicy.exponential(initial: .seconds(4), maxAttempts: .max)
        policy.random = { 1 }
        #expect(policy.delay(after: Drawing.Failure(), failures: 1) == .seconds(2))
        #expect(policy.delay(after: Drawing.Failure(), failures: 100_000) == .seconds(30))
        policy.random = { 0 }
        #expect(policy.delay(after: Drawing.Failure(), failures: 1) == .seconds(4))
    }

    @Test func `no wait at all does not grow the stack`() {
        let attempts = Tally()
        let failing = Observable<Int>.deferred {
            attempts.add()
            throw Drawing.Failure()
        }
        #expect(heard(failing.retry(.delay(.zero, maxAttempts: 100_000), scheduler: ImmediateScheduler.instance)) == ["# Failure()"])
        #expect(attempts.value == 100_000)
    }
}

@Suite(.countsResources) struct `Going on after an end` {
    let drawing = Drawing()

    @Test func `catch of a sequence goes on with the next after an error`() {
        let sources = [drawing.cold("1#"), drawing.cold("-2|"), drawing.cold("3|")]
        #expect(drawing.draw { .catch(sequence: sources.map { $0.asObservable() }) } == "1-2|")
        #expect(sources.map(\.subscriptions) == [["0-1"], ["1-3"], []])
        #expect(heard(Observable<Int>.catch(sequence: [])) == ["|"])
        #expect(heard(Observable<Int>.catch(sequence: [.error(Drawing.Failure())])) == ["# Failure()"])
    }

    @Test func `repeat subscribes so many times`() {
        let source = drawing.cold("-1|")
        #expect(drawing.draw { source.repeat(count: 2) } == "-1-1|")
        #expect(source.subscriptions == ["0-2", "2-4"])
        #expect(heard(Observable.just(1).repeat(count: 0)) == ["|"])
        #expect(heard(Observable.just(1).repeat().take(3)) == ["1", "1", "1", "|"])
    }

    @Test func `delayed errors of concat and combineLatest come at the end`() {
        let a = drawing.cold("-1#"), b = drawing.cold("-2|")
        #expect(drawing.draw { .concat(a.asObservable(), b.asObservable(), delayErrors: true) } == "-1-2#")
        #expect(drawing.draw { .combineLatest(a, drawing.cold("-2-3|"), delayErrors: true) { $0 * 10 + $1 } } == "-(12)-(13)#")
        #expect(drawing.draw { .combineLatest(a, drawing.cold("-2-3|")) { $0 * 10 + $1 } } == "-(12)#")
    }

    @Test func `intervalRange counts and completes`() {
        #expect(
            drawing.draw {
                Observable.intervalRange(start: 5, count: 3, initialDelay: .seconds(1), period: .seconds(2), scheduler: drawing.scheduler)
            } == "-5-6-(7 |)")
    }

    @Test func `cache subscribes once and sends everything again`() {
        let subscriptions = Tally()
        let cached = Observable.of(1, 2).do(onSubscribe: { subscriptions.add() }).cache()
        #expect(heard(cached) == ["1", "2", "|"])
        #expect(heard(cached) == ["1", "2", "|"])
        #expect(subscriptions.value == 1)
    }
}
