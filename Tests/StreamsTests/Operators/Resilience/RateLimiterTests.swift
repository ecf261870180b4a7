import StreamsTesting
import Testing

@testable import Streams

@Suite("Rate limiters", .countsResources)
struct RateLimiterTests {
    private let time = TestScheduler()

    private func limiter(_ limit: Int, per period: Duration, burst: Int? = nil, maxWait: Duration = .zero) -> RateLimiter {
        RateLimiter(limit, per: period, burst: burst, maxWait: maxWait, scheduler: time)
    }

    /// Subscribes to a request now, which notes when it starts.
    private func start(_ limiter: RateLimiter, _ observer: TestObserver<Int>, _ number: Int) -> any Disposable {
        Observable.just(number).rateLimit(limiter).subscribe(onNext: { observer.onNext($0) }, onError: { observer.onError($0) })
    }

    @Test func `A burst starts at once, and then one at a time, as the bucket is refilled`() {
        let (limiter, observer) = (limiter(2, per: .seconds(4), burst: 3, maxWait: .seconds(100)), time.observer(of: Int.self))
        let subscriptions = (1...6).map { start(limiter, observer, $0) }
        #expect(limiter.currentMetrics == .init(tokens: 0, queued: 3, permitted: 3, rejected: 0))
        time.advance(to: 4)
        #expect(limiter.currentMetrics == .init(tokens: 0, queued: 1, permitted: 5, rejected: 0))
        time.run()
        observer.expect([.next(0, 1), .next(0, 2), .next(0, 3), .next(2, 4), .next(4, 5), .next(6, 6)])
        time.advance(to: 9)
        #expect(limiter.currentMetrics.tokens == 1)
        time.advance(to: 100)
        #expect(limiter.currentMetrics.tokens == 3)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `One that would wait for too long fails immediately, and knows when there is a token`() {
        let (limiter, observer) = (limiter(1, per: .seconds(10), maxWait: .seconds(10)), time.observer(of: Int.self))
        let subscriptions = (1...2).map { start(limiter, observer, $0) }
        time.advance(to: 3)
        let third = start(limiter, observer, 3)
        let expected = RateLimiter.Failure.exceeded(limit: 1, period: .seconds(10), retryAfter: .seconds(17))
        #expect(observer.events.last == .error(3, expected))
        #expect("\(expected)" == "The limit of 1 per 10 s is exceeded; there is a token in 17 s.")
        time.advance(to: 10)
        #expect(observer.values == [1, 2])
        for subscription in subscriptions + [third] { subscription.dispose() }
    }

    @Test func `Who leaves the queue lets the others move up, and nothing stays planned`() {
        let (limiter, observer) = (limiter(1, per: .seconds(2), maxWait: .seconds(100)), time.observer(of: Int.self))
        let subscriptions = (1...4).map { start(limiter, observer, $0) }
        time.advance(to: 1)
        subscriptions[1].dispose()
        time.advance(to: 3)
        observer.expect([.next(0, 1), .next(2, 3)])
        subscriptions[3].dispose()
        #expect(time.isIdle && limiter.currentMetrics.queued == 0)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `A retry waits as long as the limiter says`() {
        let limiter = limiter(1, per: .seconds(5))
        var policy = RetryPolicy.delay(.zero, maxAttempts: 2)
        policy.suggestedDelay = { ($0 as? RateLimiter.Failure)?.retryAfter }
        let request = Observable.just(1).rateLimit(limiter)
        let both = Observable.concat(request, request.retry(policy, scheduler: time))
        time.start { both }.expect([.next(0, 1), .next(5, 1), .completed(5)])
    }

    @Test func `The figures begin with the current ones and follow each change`() {
        let limiter = limiter(1, per: .seconds(1), maxWait: .seconds(1))
        let (seen, observer) = (time.observer(of: RateLimiter.Metrics.self), time.observer(of: Int.self))
        let watching = limiter.metrics.subscribe(seen)
        let subscriptions = (1...3).map { start(limiter, observer, $0) }
        time.run()
        seen.expect([
            .next(0, .init(tokens: 1, queued: 0, permitted: 0, rejected: 0)),
            .next(0, .init(tokens: 0, queued: 0, permitted: 1, rejected: 0)),
            .next(0, .init(tokens: 0, queued: 1, permitted: 1, rejected: 0)),
            .next(0, .init(tokens: 0, queued: 1, permitted: 1, rejected: 1)),
            .next(1, .init(tokens: 0, queued: 0, permitted: 2, rejected: 1)),
        ])
        for subscription in subscriptions + [watching] { subscription.dispose() }
    }

    @Test(arguments: ExtremeValues.times) func `No number and no time makes it trap, hang or start a request twice`(span: Duration) {
        for count in ExtremeValues.counts {
            for maxWait in ExtremeValues.times {
                let limiter = limiter(count, per: span, burst: count, maxWait: maxWait)
                let observer = time.observer(of: Int.self)
                let subscriptions = (1...4).map { start(limiter, observer, $0) }
                time.advance(by: .seconds(1))
                let metrics = limiter.currentMetrics
                #expect(metrics.permitted == observer.values.count && metrics.permitted >= 1)
                #expect(metrics.permitted + metrics.queued + metrics.rejected == 4 && metrics.tokens >= 0)
                for subscription in subscriptions { subscription.dispose() }
                #expect(time.isIdle)
            }
        }
    }

    @Test func `Whatever subscribes and is disposed on two threads, no more start than there are tokens, and nobody is forgotten`() {
        race(rounds: 1_000) {
            let time = VirtualTimeScheduler()
            let limiter = RateLimiter(1, per: .seconds(1), burst: 2, maxWait: .seconds(9), scheduler: time)
            return (time: time, limiter: limiter, started: Tally(), holders: (0..<6).map { _ in SingleAssignmentDisposable() })
        } _: { round in
            for holder in round.holders[..<3] { Self.start(holder, round.limiter, round.started) }
            round.holders[0].dispose()
        } against: { round in
            for holder in round.holders[3...] { Self.start(holder, round.limiter, round.started) }
            round.holders[3].dispose()
        } check: { round in
            let metrics = round.limiter.currentMetrics
            #expect(metrics.permitted == 2 && round.started.value == 2 && metrics.queued >= 2)
            round.time.advance(by: .seconds(9))
            #expect(round.started.value == 2 + metrics.queued && round.time.isIdle)
            for holder in round.holders { holder.dispose() }
        }
    }

    private static func start(_ holder: SingleAssignmentDisposable, _ limiter: RateLimiter, _ started: Tally) {
        holder.setDisposable(Observable.just(1).rateLimit(limiter).subscribe(onNext: { started.add($0) }))
    }
}
