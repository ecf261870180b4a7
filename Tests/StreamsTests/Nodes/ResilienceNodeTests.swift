import StreamsTesting
import Testing

@testable import Streams

@Suite("Nodes with policies", .onOneThread, .countsResources)
struct ResilienceNodeTests {
    private let time = TestScheduler()

    /// Answers each input after a tick, and counts how often it works.
    private func lookup(_ count: Tally) -> AnyNode<String, String> {
        AnyNode { [time] input in
            count.add()
            return Observable<Int>.timer(.seconds(1), scheduler: time).map { _ in input + "!" }
        }
    }

    @Test func `A node is limited for all who use it, whatever their inputs`() {
        let (count, seen) = (Tally(), time.observer(of: String.self))
        let bulkhead = Bulkhead(maxConcurrent: 1, queueCapacity: 9, scheduler: time)
        let limiter = RateLimiter(1, per: .seconds(3), maxWait: .seconds(9), scheduler: time)
        let node = lookup(count).bulkhead(bulkhead).rateLimit(limiter)
        let subscriptions = ["a", "b", "c"].map { node.stream($0).subscribe(onNext: { seen.onNext($0) }) }
        time.run()
        seen.expect([.next(1, "a!"), .next(4, "b!"), .next(7, "c!")])
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `A node is cached and collapsed by its inputs`() {
        let (count, seen) = (Tally(), TestObserver<String>())
        let cache = LatestCache<String, String>(for: .seconds(9), scheduler: time)
        let node = lookup(count).collapse(in: Collapser()).cacheLatest(in: cache)
        let subscriptions = ["a", "b", "a"].map { node.stream($0).subscribe(onNext: { seen.onNext($0) }) }
        time.advance(by: 1)
        node.stream("b").subscribe(onNext: { seen.onNext($0) }).dispose()
        #expect(seen.values.sorted() == ["a!", "a!", "b!", "b!"] && count.value == 2)
        #expect(cache.currentMetrics.hits == 2)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `A node behind an open breaker is not used, and a slow one is used twice`() {
        let count = Tally()
        let breaker = CircuitBreaker(.consecutiveFailures(1), openFor: .seconds(9), scheduler: time)
        let hedging = Hedging(after: .fixed(.milliseconds(500)), budget: 1, scheduler: time)
        let node = lookup(count).hedge(hedging).circuitBreaker(breaker)
        let observer = TestObserver<String>()
        let subscription = node.stream("a").subscribe(observer)
        time.advance(by: 1)
        #expect(observer.values == ["a!"] && count.value == 2)
        breaker.forceOpen()
        let rejected = TestObserver<String>()
        node.stream("a").subscribe(rejected).dispose()
        #expect(rejected.error as? CircuitBreaker.Failure == .forcedOpen && count.value == 2)
        subscription.dispose()
    }

    @Test func `Its description has the policies in the order in which an input meets them`() {
        let breaker = CircuitBreaker(.consecutiveFailures(1), openFor: .zero, scheduler: time)
        let node = lookup(Tally()).bulkhead(Bulkhead(maxConcurrent: 1, queueCapacity: 0)).circuitBreaker(breaker)
        #expect(node.description == "CircuitBreaker > Bulkhead > AnyNode")
    }
}
