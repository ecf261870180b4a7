import StreamsTesting

extension Operator {
    /// Policies that the subscriptions of a service share.
    static let resilience = operators {
        Operator(
            "circuitBreaker(_:)", in: "Resilience/CircuitBreaker", for: "stop calling a source that keeps failing, for a while",
            elsewhere: Names(rxJava: "CircuitBreakerOperator (resilience4j)")
        ) {
            law(.lossless) { up in
                up.source.circuitBreaker(CircuitBreaker(.consecutiveFailures(1), openFor: .seconds(1), scheduler: up.scheduler))
            }
            law(.lossless, as: "half open") { up in
                .deferred {
                    let breaker = CircuitBreaker(.consecutiveFailures(1), openFor: .zero, scheduler: up.scheduler)
                    let failure = Observable<Probed>.error(TestError.failed).circuitBreaker(breaker)
                    return failure.catch { _ in up.source.circuitBreaker(breaker) }
                }
            }
            picture(cold: "-#", gives: "---#", subscribed: "^!") { up in
                let breaker = CircuitBreaker(.consecutiveFailures(1), openFor: .seconds(9), scheduler: up.scheduler)
                return up.numbers.circuitBreaker(breaker).retry(.delay(.seconds(2), maxAttempts: 2), scheduler: up.scheduler)
                    .catch { error in .error((error as? CircuitBreaker.Failure).map { _ in TestError.failed } ?? error) }
            }
            fuzz(passing: "%0.circuitBreaker(CircuitBreaker(.consecutiveFailures(.max), openFor: .seconds(1), scheduler: scheduler))") {
                parts in
                parts.up.circuitBreaker(CircuitBreaker(.consecutiveFailures(.max), openFor: .seconds(1), scheduler: parts.scheduler))
            }
        }
        Operator(
            "rateLimit(_:)", in: "Resilience/RateLimiter", for: "limit the rate of requests",
            elsewhere: Names(rxJava: "RateLimiterOperator (resilience4j)")
        ) {
            law(.lossless) { up in up.source.rateLimit(RateLimiter(1_000, per: .seconds(1), scheduler: up.scheduler)) }
            law([.lossless, .resubscribes], as: "queued") { up in
                .deferred {
                    let limiter = RateLimiter(1, per: .seconds(1), maxWait: .seconds(2), scheduler: up.scheduler)
                    return Observable.concat(Observable.empty().rateLimit(limiter), up.source.rateLimit(limiter))
                }
            }
            picture("-abc--------|", gives: "-a--b--c----|") { up in
                let limiter = RateLimiter(1, per: .seconds(3), maxWait: .seconds(9), scheduler: up.scheduler)
                return up.letters.flatMap { Observable.just($0).rateLimit(limiter) }
            }
            fuzz(
                """
                Observable.deferred {
                    let limiter = RateLimiter(1, per: .seconds(#0), maxWait: .seconds(Int64.max), scheduler: scheduler)
                    return %0.flatMap { Observable.just($0).rateLimit(limiter) }
                }
                """, 1...5
            ) { parts in
                .deferred {
                    let limiter = RateLimiter(1, per: parts.time, maxWait: .seconds(Int64.max), scheduler: parts.scheduler)
                    return parts.up.flatMap { Observable.just($0).rateLimit(limiter) }
                }
            } reference: { walk in
                try walk.pacing()
            }
        }
        Operator(
            "bulkhead(_:)", in: "Resilience/Bulkhead", for: "limit the number of concurrent requests",
            elsewhere: Names(rxJava: "BulkheadOperator (resilience4j)")
        ) {
            law(.lossless) { up in up.source.bulkhead(Bulkhead(maxConcurrent: 9, queueCapacity: 0)) }
            law([.lossless, .resubscribes], as: "queued") { up in
                .deferred {
                    let bulkhead = Bulkhead(maxConcurrent: 1, queueCapacity: 1, maxWait: .seconds(9), scheduler: up.scheduler)
                    let first = Observable<Int>.timer(.seconds(1), scheduler: up.scheduler).compactMap { _ -> Probed? in nil }
                    return Observable.merge(first.bulkhead(bulkhead), up.source.bulkhead(bulkhead))
                }
            }
            picture("-abc---------|", gives: "----a--b--c--|") { up in
                let bulkhead = Bulkhead(maxConcurrent: 1, queueCapacity: 9)
                return up.letters.flatMap { up.loading($0).bulkhead(bulkhead) }
            }
            fuzz(
                """
                Observable.deferred {
                    let bulkhead = Bulkhead(maxConcurrent: #0, queueCapacity: .max)
                    return %0.flatMap { x in (@).bulkhead(bulkhead) }
                }
                """, 1...3
            ) { parts in
                .deferred {
                    let bulkhead = Bulkhead(maxConcurrent: parts.number, queueCapacity: .max)
                    return parts.up.flatMap { parts.body($0).bulkhead(bulkhead) }
                }
            } reference: { walk in
                try walk.flattening(atOnce: walk.number)
            }
        }
        Operator(
            "hedge(_:)", in: "Resilience/Hedge", for: "send a slow request a second time, and take the first response",
            elsewhere: Names(rxJava: "ambWith + delaySubscription")
        ) {
            law(.lossless) { up in up.source.hedge(Hedging(after: .fixed(.seconds(1_000)), scheduler: up.scheduler)) }
            law([.lossless, .resubscribes], as: "hedged") { up in
                up.source.hedge(Hedging(after: .fixed(.seconds(1)), budget: 1, scheduler: up.scheduler))
            }
            picture("-a----------|", gives: "----a-------|") { up in
                let attempts = Lock(0)
                let hedging = Hedging(after: .fixed(.seconds(2)), budget: 1, scheduler: up.scheduler)
                return up.letters.flatMap { letter in
                    Observable<Int>.deferred {
                        let attempt = attempts.withLock { attempts in
                            attempts += 1
                            return attempts
                        }
                        return .timer(.seconds(attempt == 1 ? 9 : 1), scheduler: up.scheduler)
                    }.map { _ in letter }.hedge(hedging)
                }
            }
            fuzz("%0.hedge(Hedging(after: .fixed(.seconds(#0)), budget: 1, scheduler: scheduler))", 0...9) { parts in
                parts.up.hedge(Hedging(after: .fixed(parts.time), budget: 1, scheduler: parts.scheduler))
            } reference: { walk in
                try walk.hedging()
            }
        }
        Operator(
            "cacheLatest(for:scheduler:)", in: "Resilience/CacheLatest", for: "reuse the latest response of a request for a while"
        ) {
            law([.shares, .lossless]) { up in up.source.cacheLatest(for: .zero, scheduler: up.scheduler) }
            law([.shares, .lossless], as: "stored") { up in up.source.cacheLatest(for: .seconds(1_000), scheduler: up.scheduler) }
            picture(cold: "--1|", gives: "--1(1|)", subscribed: "^--!") { up in
                let cached = up.numbers.cacheLatest(for: .seconds(5), scheduler: up.scheduler)
                return cached.concat(cached)
            }
            fuzz(passing: "Observable.deferred { %0.cacheLatest(for: .seconds(1), scheduler: scheduler) }") { parts in
                .deferred { parts.up.cacheLatest(for: .seconds(1), scheduler: parts.scheduler) }
            }
        }
        Operator(
            "cacheLatest(_:in:)", in: "Resilience/LatestCache", for: "reuse the latest response of a request for a while, by key"
        ) {
            law([.shares, .lossless]) { up in
                up.source.cacheLatest(0, in: LatestCache(for: .seconds(1_000), capacity: 1, scheduler: up.scheduler))
            }
            law([.shares, .lossless], as: "key of a user") { up in
                up.source.cacheLatest(up.user.element(0), in: LatestCache(for: .seconds(1_000), capacity: 1, scheduler: up.scheduler))
            }
            picture("-a-----a----a----|", gives: "----a--a-------a-|") { up in
                let cache = LatestCache<String, String>(for: .seconds(5), scheduler: up.scheduler)
                return up.letters.flatMap { up.loading($0).cacheLatest($0, in: cache) }
            }
            fuzz(passing: "Observable.deferred { %0.cacheLatest(0, in: LatestCache(for: .seconds(1), scheduler: scheduler)) }") { parts in
                .deferred { parts.up.cacheLatest(0, in: LatestCache(for: .seconds(1), scheduler: parts.scheduler)) }
            }
        }
        Operator(
            "collapse(_:in:)", in: "Resilience/Collapse", for: "collapse concurrent equal requests into one"
        ) {
            law([.shares, .lossless]) { up in up.source.collapse(0, in: Collapser()) }
            law([.shares, .lossless], as: "key of a user") { up in up.source.collapse(up.user.element(0), in: Collapser()) }
            picture("-aa---b---|", gives: "----(aa)-b|") { up in
                let requests = Collapser<String, String>()
                return up.letters.flatMap { up.loading($0).collapse($0, in: requests) }
            }
            fuzz(
                heardTwice: "%0.collapse(0, in: Collapser())", share: { up, _ in up.collapse(0, in: Collapser()) },
                reference: { try $0.sharing(replay: .max, isForever: false) })
        }
    }
}

extension Walk {
    /// Starts two attempts, the second after `numbers[0]` ticks; the first one that emits or completes continues.
    func hedging() throws {
        var winner: Int?
        var (running, failure) = (1, String?.none)
        timer(-1, after: numbers[0])
        try subscribe(0, as: 0)
        try run { input in
            guard let signal = input.signal else {
                running += 1
                return try subscribe(0, as: 1)
            }
            guard winner == nil || winner == input.tag else { return }
            if winner == nil, case .error(let name) = signal {
                failure = failure ?? name
                running -= 1
                if running == 0, let failure { error(failure) }
                return
            }
            if winner == nil {
                winner = input.tag
                cancel(-1)
                dispose(1 - input.tag)
            }
            pass(input)
        }
    }

    /// Sends each element `numbers[0]` ticks after the previous one, or when it arrives.
    func pacing() throws {
        var waiting: [Int] = []
        var (ready, isDone) = (now, false)
        try subscribe()
        try run { input in
            switch input {
            case .next(let element, _):
                guard !waiting.isEmpty || now < ready else {
                    ready = now + numbers[0]
                    return next(element)
                }
                waiting.append(element)
                if waiting.count == 1 { timer(1, after: ready - now) }
            case .timer:
                ready = now + numbers[0]
                let element = waiting.removeFirst()
                // The limiter plans its next token before it starts the request that has this one.
                if !waiting.isEmpty { timer(1, after: numbers[0]) }
                next(element)
                if waiting.isEmpty, isDone { completed() }
            case .completed:
                isDone = true
                if waiting.isEmpty { completed() }
            case .error: passEnd(input)
            }
        }
    }
}
