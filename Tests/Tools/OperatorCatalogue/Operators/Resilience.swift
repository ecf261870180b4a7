import StreamsTesting

extension Operator {
    /// Policies that the subscriptions of a service share.
    static let resilience = operators {
        Operator(
            "circuitBreaker(_:)", in: "Resilience/CircuitBreaker", for: "a source that keeps failing is to be left alone for a while",
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
                    .catch { error in .error((error as? CircuitBreakerError).map { _ in TestError.failed } ?? error) }
            }
            fuzz(passing: "%0.circuitBreaker(CircuitBreaker(.consecutiveFailures(.max), openFor: .seconds(1), scheduler: scheduler))") {
                parts in
                parts.up.circuitBreaker(CircuitBreaker(.consecutiveFailures(.max), openFor: .seconds(1), scheduler: parts.scheduler))
            }
        }
        Operator(
            "rateLimit(_:)", in: "Resilience/RateLimiter", for: "only so many requests may start in some time",
            elsewhere: Names(rxJava: "RateLimiterOperator (resilience4j)")
        ) {
            law(.lossless) { up in up.source.rateLimit(RateLimiter(1_000, per: .seconds(1), scheduler: up.scheduler)) }
            law([.lossless, .resubscribes], as: "queued") { up in
                .deferred {
                    let limiter = RateLimiter(1, per: .seconds(1), maxWait: .seconds(2), scheduler: up.scheduler)
                    return Observable.concat(Observable.empty().rateLimit(limiter), up.source.rateLimit(limiter))
                }
            }
            picture("-abc--------|", gives: "-a--b--c----|", subscribed: "^-----------!") { up in
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
            "bulkhead(_:)", in: "Resilience/Bulkhead", for: "only so many requests may run at once, wherever they come from",
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
            picture("-abc---------|", gives: "----a--b--c--|", subscribed: "^------------!") { up in
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
                try walk.flattening(atOnce: walk.numbers[0])
            }
        }
    }
}

extension Walk {
    /// Each element at its own time: `numbers[0]` ticks after the one before, or when it arrives.
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
                next(waiting.removeFirst())
                if !waiting.isEmpty { timer(1, after: numbers[0]) } else if isDone { completed() }
            case .completed:
                isDone = true
                if waiting.isEmpty { completed() }
            case .error: passEnd(input)
            }
        }
    }
}
