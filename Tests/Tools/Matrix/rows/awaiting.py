"""What is awaited."""

from row import *

awaiting("values", "for try await x in SOURCE(3).values { log.add(key(x)) }", received(0, 1, 2))
awaiting("values(overflow:)", "for try await x in SOURCE(3).values(overflow: .unbounded) { log.add(key(x)) }", received(0, 1, 2))
awaiting(
    ("values", "enumerated()"), "for try await (i, x) in SOURCE(3).enumerated().values { log.add(pair(i, key(x))) }",
    "[pair(0, keyed(0)), pair(1, keyed(1)), pair(2, keyed(2))]")
awaiting("values", "do { for try await x in FAILING(2).values { log.add(key(x)) } } catch { log.add(-2) }", fails(0, 1))
awaiting("InfallibleSequence.values", "for await x in Infallible<Element>.of(make(0), make(1)).values { log.add(key(x)) }", received(0, 1))
awaiting("firstElement()", "log.add(key(try await SOURCE(3).firstElement()))", received(0))
awaiting("firstElement(where:)", "log.add(key(try await SOURCE(3).firstElement(where: { key($0) != -12345 })))", received(0))
awaiting("lastElement()", "log.add(key(try await SOURCE(3).lastElement()))", received(2))
awaiting("array()", "for x in try await SOURCE(3).array() { log.add(key(x)) }", received(0, 1, 2))
awaiting(
    "fromAsync(priority:_:)", "log.add(key(try await Observable<Element>.fromAsync { await Task.yield(); return make(2) }.firstElement()))",
    received(2))
awaiting(
    "fromAsync(priority:_:)",
    "let x = try await Observable<(Element, Element)>.fromAsync { await Task.yield(); return (make(2), make(3)) }.firstElement(); "
    "log.add(pair(key(x.0), key(x.1)))",
    received((2, 3)))
awaiting(
    "mapAsync(priority:_:)", "for try await x in SOURCE(3).mapAsync({ x in await Task.yield(); return (x, 1) }).values { log.add(key(x.0)) }",
    received(0, 1, 2))
awaiting(
    "flatMapAsync(maxConcurrent:priority:_:)",
    "for try await x in SOURCE(3).flatMapAsync(maxConcurrent: 1, { x in await Task.yield(); return x }).values { log.add(key(x)) }",
    received(0, 1, 2))
awaiting(
    "create(priority:_:)",
    "for try await x in Observable<Element>.create({ emit in for i in 0..<3 { try await emit(make(i)) } }).values { log.add(key(x)) }",
    received(0, 1, 2))
awaiting(
    "fromTaskGroup(priority:_:)", "for try await x in Observable<Element>.fromTaskGroup({ g in g.addTask { make(2) } }).values { log.add(key(x)) }",
    received(2))
awaiting(
    "from(_:)",
    "for try await x in Observable<Element>.from(AsyncStream<Element> { c in c.yield(make(0)); c.yield(make(1)); c.finish() }).values { log.add(key(x)) }",
    received(0, 1))
awaiting(
    "AsyncSequence.asObservable()",
    "for try await x in AsyncStream<Element> { c in c.yield(make(0)); c.yield(make(1)); c.finish() }.asObservable().values { log.add(key(x)) }",
    received(0, 1))
awaiting("Task.asObservable()", "log.add(key(try await Task { make(3) }.asObservable().firstElement()))", received(3))
awaiting("PrimitiveSequence.value", "log.add(key(try await Single<Element>.just(make(1)).value))", received(1))
awaiting(
    "PrimitiveSequence.fromAsync(_:)", "log.add(key(try await Single<Element>.fromAsync { await Task.yield(); return make(1) }.value))", received(1))
awaiting("PrimitiveSequence.value", "if let x = try await Maybe<Element>.just(make(1)).value { log.add(key(x)) }", received(1), needs="not-optional")
awaiting("Observer.value", "log.add(key(try await Context<Element>.emit(data: make(4)).value))", received(4))
awaiting(
    ("Observer.value", "Observer.map(_:)"),
    "let x = try await Context<Element>.emit(data: make(4)).map { ($0, 5) }.value; log.add(pair(key(x.0), x.1))", "[pair(keyed(4), 5)]")
awaiting(
    ("firstElement()", "just(_:)"),
    "let sum = try await withThrowingTaskGroup(of: Int.self) { g in for i in 0..<3 { g.addTask { "
    "let x = try await Observable<(Int, Element)>.just((i, make(i))).firstElement(); return pair(x.0, key(x.1)) } }; var r = 0; "
    "for try await v in g { r &+= v }; return r }; log.add(sum)",
    "[pair(0, keyed(0)) &+ pair(1, keyed(1)) &+ pair(2, keyed(2))]")
awaiting(
    "ObservableType.subscribe(isolatedTo:overflow:onNext:onError:onCompleted:)",
    "let flag = Flag(); let collector = Collector(); let d = SOURCE(2).subscribe(isolatedTo: collector, onNext: { "
    "collector, x in collector.add(key(x)) }, onError: nil, onCompleted: { _ in flag.give() }); await flag.wait(); d.dispose(); "
    "for k in await collector.all { log.add(k) }",
    received(0, 1))
awaiting(
    "observe(on:)", "for try await x in SOURCE(3).observe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated)).values { log.add(key(x)) }",
    received(0, 1, 2))
awaiting(
    "subscribe(on:)",
    "for try await x in SOURCE(3).subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated)).map({ ($0, 1) }).values { log.add(key(x.0)) }",
    received(0, 1, 2))
awaiting(
    "merge(_:delayErrors:)",
    "var r = 0; for try await x in Observable<Element>.merge(SOURCE(20).subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated)), "
    "SOURCE(20).subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated))).values { r &+= key(x) }; log.add(r)",
    "[(0..<20).reduce(0) { $0 &+ keyed($1) &* 2 }]")
awaiting(
    "PublishSubject.onNext(_:)",
    "let p = PublishSubject<Element>(); let tally = Tally(); let d = p.subscribe(onNext: { x in tally.add(key(x)) }); "
    "await withTaskGroup(of: Void.self) { g in for t in 0..<4 { g.addTask { for i in 0..<25 { p.onNext(make((t &* 25 &+ i) % 50)) } } } }; "
    "for _ in 0..<2000 where tally.count < 100 { try await Task.sleep(for: .milliseconds(1)) }; d.dispose(); log.add(tally.value)",
    "[(0..<50).reduce(0) { $0 &+ keyed($1) &* 2 }]")
awaiting(
    "zip(_:delayErrors:)",
    "var r = 0; for try await x in Observable.zip(SOURCE(20).subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated)), SOURCE(20, "
    "3).subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated))).values { r &+= pair(key(x.0), key(x.1)) }; log.add(r)",
    "[(0..<20).reduce(0) { $0 &+ pair(keyed($1), keyed($1 + 3)) }]")
awaiting(
    "observe(_:)",
    "for try await x in Observable<Element>.observe { make(3) }.take(1).values { log.add(key(x)) }", received(3))
