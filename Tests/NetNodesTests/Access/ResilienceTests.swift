import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("A chain with policies", .countsResources, .blocksThread)
struct ResilienceTests {
    private let time = TestScheduler()
    private let sent = BehaviorRelay(value: 0)

    /// Responds with these statuses, one after the other; the last stays.
    private func chain(_ statuses: Int...) -> URLChain<Unrouted, Void> {
        URLChain(
            transport: StubTransport { [sent] request in
                sent.update { $0 += 1 }
                return .text("", status: statuses[min(sent.value, statuses.count) - 1], to: request)
            })
    }

    private func error(of chain: URLChain<Unrouted, Void>) -> (any Error)? {
        let observer = TestObserver<Data>()
        chain.route(.get, "http://localhost/a").data.stream().subscribe(observer).dispose()
        return observer.error
    }

    @Test func `Each attempt counts for a breaker inside a retry, which does not repeat a rejection`() {
        let breaker = CircuitBreaker(
            .consecutiveFailures(2), openFor: .seconds(10), scheduler: time, isFailure: RetryPolicy.isTransient)
        let policy = RetryPolicy.delay(.zero, maxAttempts: 9).when(RetryPolicy.isTransient)
        let guarded = chain(404, 503, 503, 200).retry(policy, scheduler: time).circuitBreaker(breaker)
        #expect((error(of: guarded) as? HTTPError)?.status == 404)
        #expect(error(of: guarded) as? CircuitBreaker.Failure == .open(retryAfter: .seconds(10)))
        #expect(sent.value == 3)
        time.advance(to: 10)
        #expect(error(of: guarded) == nil)
        #expect(breaker.currentMetrics.state == .closed)
    }

    @Test(arguments: [HTTPRequest.Method.get, .put, .post]) func `A slow request is hedged if its method is idempotent`(
        method: HTTPRequest.Method
    ) {
        let transport = StubTransport(transfer: { [sent] request in
            sent.update { $0 += 1 }
            return sent.value == 1 ? .never() : StubTransport { .text("second", to: $0) }.transfer(request)
        })
        let hedging = Hedging(after: .fixed(.seconds(1)), budget: 1, scheduler: time)
        let observer = TestObserver<Data>()
        let node = URLChain(transport: transport).hedge(hedging).route(method, "http://localhost/a").data
        let subscription = node.stream().subscribe(observer)
        time.advance(by: 1)
        #expect(observer.values == (method == .post ? [] : [Data("second".utf8)]))
        #expect(hedging.currentMetrics.requests == (method == .post ? 0 : 1))
        subscription.dispose()
    }

    @Test func `Requests beyond a bulkhead or a limit are not sent`() {
        let bulkhead = Bulkhead(maxConcurrent: 1, queueCapacity: 0, scheduler: time)
        let limiter = RateLimiter(1, per: .seconds(1), scheduler: time)
        let limited = chain(200).bulkhead(bulkhead).rateLimit(limiter)
        #expect(error(of: limited) == nil)
        #expect(error(of: limited) as? RateLimiter.Failure == .exceeded(limit: 1, period: .seconds(1), retryAfter: .seconds(1)))
        #expect(sent.value == 1 && bulkhead.currentMetrics.running == 0)
        #expect(limited.description.contains("Bulkhead > RateLimiter"))
    }
}
