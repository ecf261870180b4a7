"""Operators that create a stream."""

from row import *

row("just(_:)", "Observable<Element>.just(make(1))", emits(1))
row("just(_:scheduler:)", "Observable<Element>.just(make(1), scheduler: CurrentThreadScheduler.instance)", emits(1))
row("just(_:)", "Observable.just((make(1), make(2)))", emits((1, 2)), read=PAIR)
row("just(_:)", "Observable<Element?>.just(make(1))", emits(1), read="(x.map { key($0) } ?? -9)")
row("of(_:)", "Observable<Element>.of(make(0), make(1), make(2))", emits(0, 1, 2))
row("of(_:scheduler:)", "Observable<Element>.of(make(0), make(1), scheduler: ImmediateScheduler.instance)", emits(0, 1))
row("from(_:)", "Observable<Element>.from(elements(4))", emits(0, 1, 2, 3))
row("from(_:)", "Observable<Element>.from(repeatElement(make(2), count: 3))", emits(2, 2, 2))
row("from(_:scheduler:)", "Observable<Element>.from(elements(3), scheduler: CurrentThreadScheduler.instance)", emits(0, 1, 2))
row("from(_:)", "Observable.from(Array(zip(elements(3), elements(3))))", emits((0, 0), (1, 1), (2, 2)), read=PAIR)
row("from(optional:)", "Observable<Element>.from(optional: make(3))", emits(3))
row("from(optional:)", "Observable<Element>.from(optional: Optional<Element>.none)", emits())
row("from(optional:scheduler:)", "Observable<Element>.from(optional: make(3), scheduler: ImmediateScheduler.instance)", emits(3))
row("empty()", "Observable<Element>.empty()", emits())
row("error(_:)", "Observable<Element>.error(Fault.b(1))", fails())
row("fail(with:)", "Observable<Element>.fail(with: Fault.b(1))", fails())
row(
    "create(overflow:_:)", "Observable<Element>.create { o in for i in 0..<3 { o.onNext(make(i)) }; o.onCompleted(); return Disposables.create() }",
    emits(0, 1, 2))
row(
    "create(overflow:_:)",
    "Observable<Element>.create { o in o.on(.next(make(0))); o.on(.next(make(1))); o.on(.error(Fault.a)); return Disposables.create { } }",
    fails(0, 1))
row(
    "create(overflow:_:)",
    "Observable<Element>.create(overflow: .dropOldest(capacity: 2)) { o in for i in 0..<3 { o.onNext(make(i)) }; o.onCompleted(); "
    "return Disposables.create() }",
    emits(0, 1, 2))
row("deferred(_:)", "Observable<Element>.deferred { .of(make(0), make(1)) }", emits(0, 1))
row("deferred(_:)", 'Observable<Element>.deferred { throw Fault.c("deferred") }', fails())
row("fromCallable(_:)", "Observable<Element>.fromCallable { make(2) }", emits(2))
row("fromCallable(_:)", "Observable<Element>.fromCallable { throw Fault.a }", fails())
row(
    "generate(initialState:condition:iterate:)",
    "Observable<Element>.generate(initialState: make(0), condition: { _ in tally.value < 3 }, iterate: { _ in make(tally.next()) })", emits(0, 1, 2),
    before=TALLY)
row(
    "generate(initialState:condition:scheduler:iterate:)",
    "Observable<Element>.generate(initialState: make(0), condition: { _ in tally.value < 3 }, "
    "scheduler: CurrentThreadScheduler.instance, iterate: { _ in make(tally.next()) })",
    emits(0, 1, 2), before=TALLY)
row("range(start:count:)", "Observable<Int>.range(start: 0, count: 4).map { make($0) }", emits(0, 1, 2, 3))
row(
    "range(start:count:scheduler:)", "Observable<Int>.range(start: 0, count: 3, scheduler: CurrentThreadScheduler.instance).map { make($0) }",
    emits(0, 1, 2))
row(
    "interval(_:scheduler:)", "Observable<Int>.interval(.seconds(1), scheduler: scheduler).map { make($0) }.take(3)", emits(0, 1, 2), before=CLOCK,
    after="scheduler.advance(by: 10)")
row(
    "intervalRange(start:count:initialDelay:period:scheduler:)",
    "Observable<Int>.intervalRange(start: 1, count: 2, initialDelay: .seconds(1), period: .seconds(1), scheduler: scheduler).map { make($0) }",
    emits(1, 2), before=CLOCK, after="scheduler.advance(by: 10)")
row(
    "timer(_:period:scheduler:)", "Observable<Int>.timer(.seconds(1), period: .seconds(2), scheduler: scheduler).map { make($0) }.take(2)",
    emits(0, 1), before=CLOCK, after="scheduler.advance(by: 10)")
row("repeatElement(_:scheduler:)", "Observable<Element>.repeatElement(make(1)).take(3)", emits(1, 1, 1))
row("repeat(count:)", "SOURCE(2).repeat(count: 2)", emits(0, 1, 0, 1), cold=True)
row("using(_:observableFactory:)", "Observable<Element>.using({ Resource(make(5)) }, observableFactory: { r in .just(r.value) })", emits(5))
row("never()", "Observable<Element>.never()", received())
