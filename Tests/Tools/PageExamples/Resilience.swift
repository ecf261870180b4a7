// The blocks of `Docs/Resilience.md`, with what they take for granted.
import NetNodes
import Streams

private let bag = DisposeBag()

let clock: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
let breaker = CircuitBreaker(.failures(5, within: .seconds(30)), openFor: .seconds(10), scheduler: clock)
let bulkhead = Bulkhead(maxConcurrent: 20, queueCapacity: 100, maxWait: .seconds(1), scheduler: clock)

func profile(_ name: String) -> Observable<String> {
    request(name).bulkhead(bulkhead).circuitBreaker(breaker)
        .retry(.exponential(initial: .milliseconds(200), maxAttempts: 3), scheduler: clock)
}

private func request(_ name: String) -> Observable<String> { .just(name) }

enum ResiliencePage {
    static func state() {
        breaker.state.subscribe(onNext: { print("the breaker is \($0)") }).disposed(by: bag)
    }

    static func order() -> Observable<String> {
        let answer = request("ada")
            .timeout(.seconds(2), scheduler: clock)  // a slow call is a failed call
            .bulkhead(bulkhead)  // what really runs
            .circuitBreaker(breaker)  // an open breaker rejects before the queue
            .retry(.exponential(initial: .milliseconds(200), maxAttempts: 3).when { !($0 is CircuitBreaker.Failure) }, scheduler: clock)
        return answer
    }

    static func limit() -> Observable<String> {
        let limiter = RateLimiter(10, per: .seconds(1), burst: 20, maxWait: .seconds(2), scheduler: clock)
        let limited = request("ada").rateLimit(limiter)
        return limited
    }

    static func policy() -> RetryPolicy {
        var policy = RetryPolicy.delay(.zero, maxAttempts: 3)
        policy.suggestedDelay = { ($0 as? RateLimiter.Failure)?.retryAfter }
        return policy
    }

    static func hedge() -> Observable<String> {
        let hedging = Hedging(after: .percentile(0.95), budget: 0.1, scheduler: clock)
        let hedged = request("ada").hedge(hedging)
        return hedged
    }

    static func cached() -> [Observable<String>] {
        let names = request("all").cacheLatest(for: .seconds(30), scheduler: clock)  // one stream, one element

        let profiles = LatestCache<String, String>(for: .seconds(60), capacity: 500, scheduler: clock)
        let ada = request("ada").cacheLatest("ada", in: profiles)  // an element for each key
        profiles.remove("ada")  // after a change

        let lookups = Collapser<String, String>()
        let one = request("ada").collapse("ada", in: lookups)  // nothing is stored
        return [names, ada, one]
    }

    static func chain(_ limiter: RateLimiter, _ hedging: Hedging) -> URLChain<Unrouted, Void> {
        let api = URLChain().retry().rateLimit(limiter).circuitBreaker(breaker).bulkhead(bulkhead).hedge(hedging)
        return api
    }

    static func figures() {
        Observable.combineLatest(breaker.metrics, bulkhead.metrics) { "breaker \($0.state), \($1.running) running, \($1.queued) queued" }
            .throttle(.seconds(1), scheduler: clock)
            .subscribe(onNext: { print($0) })
            .disposed(by: bag)
    }
}
