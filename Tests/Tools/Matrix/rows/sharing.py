"""Operators that share a stream, and those of resilience."""

from row import *

row("share()", "SOURCE(3).share()", emits(0, 1, 2))
row(
    "share(replay:scope:)", "sh", emits(0, 1, 2),
    before="let sh = SOURCE(3).share(replay: 5, scope: .forever); let former = sh.subscribe(); former.dispose()")
row("cache()", "ca", emits(0, 1, 2), before="let ca = SOURCE(3).cache(); let former = ca.subscribe(); former.dispose()")
row(("publish()", "connect()"), "c", emits(0, 1), before="let c = SOURCE(2).publish()", after="let con = c.connect(); con.dispose()")
row("refCount()", "SOURCE(2).publish().refCount()", emits(0, 1))
row("autoconnect(_:)", "SOURCE(2).publish().autoconnect()", emits(0, 1))
row("replay(_:)", "c", emits(0, 1, 2), before="let c = SOURCE(3).replay(2)", after="let con = c.connect(); con.dispose()")
row("replayAll()", "c", emits(0, 1, 2), before="let c = SOURCE(3).replayAll()", after="let con = c.connect(); con.dispose()")
row("multicast(_:)", "c", emits(0, 1), before="let c = SOURCE(2).multicast(PublishSubject<Element>())", after="let con = c.connect(); con.dispose()")
row("multicast(makeSubject:)", "SOURCE(2).multicast(makeSubject: { ReplaySubject<Element>(bufferSize: 1) }).refCount()", emits(0, 1))
row("multicast(_:selector:)", "SOURCE(2).multicast({ PublishSubject<Element>() }, selector: { x in Observable.zip(x, x).map { $0.1 } })", emits(0, 1))
row("bulkhead(_:)", "SOURCE(3).bulkhead(Bulkhead(maxConcurrent: 2, queueCapacity: 2, scheduler: scheduler))", emits(0, 1, 2), before=CLOCK)
row(
    "cacheLatest(for:scheduler:)", "c", emits(1),
    before="let scheduler = TestScheduler(); let c = SOURCE(2).cacheLatest(for: .seconds(9), scheduler: scheduler); let former = c.subscribe(); "
    "former.dispose()")
row(
    "circuitBreaker(_:)", "SOURCE(3).circuitBreaker(CircuitBreaker(.consecutiveFailures(2), openFor: .seconds(1), scheduler: scheduler))",
    emits(0, 1, 2), before=CLOCK)
row("collapse(_:in:)", "SOURCE(3).collapse(1, in: Collapser<Int, Element>())", emits(0, 1, 2))
row("hedge(_:)", "SOURCE(1).hedge(Hedging(after: .fixed(.seconds(3)), scheduler: scheduler))", emits(0), before=CLOCK)
row("rateLimit(_:)", "SOURCE(1).rateLimit(RateLimiter(5, per: .seconds(1), scheduler: scheduler))", emits(0), before=CLOCK)
row("cacheLatest(_:in:)", "SOURCE(1).cacheLatest(3, in: LatestCache<Int, Element>(for: .seconds(3), scheduler: scheduler))", emits(0), before=CLOCK)
