"""Subjects, relays, observers, binders, and the test kit."""

from row import *

row(
    "PublishSubject.onNext(_:)", "a", emits(0, 1, 2), before=SUBJECT,
    after="a.onNext(make(0)); a.on(.next(make(1))); a.onNext(make(2)); a.onCompleted()")
row(
    "PublishSubject.asObservable()", "Observable<Element>.merge(a.asObservable(), a.map { $0 }, a.asObservable())", emits(0, 0, 0, 1, 1, 1),
    before=SUBJECT, after="a.onNext(make(0)); a.onNext(make(1)); a.onCompleted()")
row(
    "PublishSubject.onNext(_:)", "a.do(onNext: { _ in if tally.next() < 3 { a.onNext(make(tally.value)) } })", emits(0, 1, 2),
    before="let a = PublishSubject<Element>(); let tally = Tally()", after="a.onNext(make(0)); a.onCompleted()")
row(
    "BehaviorSubject.init(value:)", "a", emits(4, 1), before="let a = BehaviorSubject<Element>(value: make(4))",
    after="a.onNext(make(1)); a.onCompleted()")
row(
    "BehaviorSubject.value", "a.map { _ in key(a.value) }", emits(4, 1), read=NUMBER, before="let a = BehaviorSubject<Element>(value: make(4))",
    after="a.onNext(make(1)); a.onCompleted()")
row(
    "ReplaySubject.init(bufferSize:)", "a", emits(1, 2, 3),
    before="let a = ReplaySubject<Element>(bufferSize: 2); for i in 0..<3 { a.onNext(make(i)) }", after="a.onNext(make(3)); a.onCompleted()")
row(
    "ReplaySubject.createUnbounded()", "a", emits(0, 1, 2),
    before="let a = ReplaySubject<Element>.createUnbounded(); for i in 0..<3 { a.onNext(make(i)) }; a.onCompleted()")
row(
    "ReplaySubject.init(window:bufferSize:scheduler:)", "a", emits(1, 2),
    before="let scheduler = TestScheduler(); let a = ReplaySubject<Element>(window: .seconds(2), scheduler: scheduler); a.onNext(make(0)); "
    "scheduler.advance(by: 5); a.onNext(make(1))",
    after="a.onNext(make(2)); a.onCompleted()")
row(
    "AsyncSubject.on(_:)", "a", emits(1), before="let a = AsyncSubject<Element>(); a.on(.next(make(0))); a.on(.next(make(1)))",
    after="a.onCompleted()")
row("PublishRelay.accept(_:)", "a", received(0, 1), before="let a = PublishRelay<Element>()", after="a.accept(make(0)); a.accept(make(1))")
row(
    ("BehaviorRelay.accept(_:)", "BehaviorRelay.update(_:)"), "a", received(4, 1, 2, 3), before="let a = BehaviorRelay<Element>(value: make(4))",
    after="a.accept(make(1)); a.accept(make(2)); a.update { $0 = make(3) }")
row(
    "ReplayRelay.accept(_:)", "a", received(1, 2, 3), before="let a = ReplayRelay<Element>(bufferSize: 2); for i in 0..<3 { a.accept(make(i)) }",
    after="a.accept(make(3))")
row(
    "Streamed.projectedValue", "model.$value", received(4, 1, 2), before="let model = Model<Element>(make(4))",
    after="model.value = make(1); model.value = make(2)", needs="main")
statements(
    ("AnyObserver.init(eventHandler:)", "AnyObserver.onNext(_:)"),
    "let observer = AnyObserver<Element>(eventHandler: { e in if case .next(let x) = e { log.add(key(x)) } }); observer.onNext(make(0)); "
    "observer.on(.next(make(1))); observer.onCompleted()",
    received(0, 1))
statements(
    "ObserverType.mapObserver(_:)",
    "let observer = AnyObserver<Int> { e in if case .next(let x) = e { log.add(x) } }; "
    "let om: AnyObserver<Element> = observer.mapObserver { key($0) }; om.onNext(make(0)); om.onNext(make(1))",
    received(0, 1))
statements(
    "BindableType.bind(to:)",
    "let property = Property(make(0)); "
    "let observer = AnyObserver<Element> { event in if case .next(let x) = event { property.set(x) } }; "
    "SOURCE(2).bind(to: observer).dispose(); log.add(key(property.get()))",
    received(1))
statements(
    ("Binder.init(_:scheduler:binding:)", "BindableType.bind(to:)"),
    "SOURCE(2).bind(to: Binder(log, scheduler: ImmediateScheduler.instance) { log, x in log.add(key(x)) }).dispose()", received(0, 1))
statements(
    "BindableType.bind(to:)",
    "SOURCE(2).bind(to: Binder<Element?>(log, scheduler: ImmediateScheduler.instance) { log, x in log.add(x.map { key($0) } ?? -9) }).dispose()",
    received(0, 1), needs="not-optional")
row("ObservableType.subscribe(_:)", "a", emits(0, 1, 2), before=SUBJECT, after="let q = SOURCE(3).subscribe(a); q.dispose()")
row(
    "Event.map(_:)", "Observable.of(Event.next(make(0)), .next(make(1)), .completed).map { $0.map { key($0) }.element ?? -4 }",
    "[keyed(0), keyed(1), -4, completed]", read=NUMBER)
statements("BindableType.bind(onNext:)", "SOURCE(2).bind(onNext: { x in log.add(key(x)) }).dispose()", received(0, 1), needs="main")
statements(
    "AnyObserver.main(_:)",
    "SOURCE(2).subscribe(AnyObserver<Element>.main { e in if case .next(let x) = e { log.add(key(x)) } else { log.add(-7) } }).dispose()",
    "[keyed(0), keyed(1), -7]", needs="main")
row(
    "TestScheduler.hot(_:)", "scheduler.hot([.next(1, make(0)), .next(2, make(1)), .completed(3)])", emits(0, 1), before=CLOCK,
    after="scheduler.advance(by: 9)")
row(
    "TestScheduler.cold(_:)", "scheduler.cold([.next(1, make(0)), .next(2, make(1)), .error(3)]).map { ($0, $0) }", fails((0, 0), (1, 1)), read=PAIR,
    before=CLOCK, after="scheduler.advance(by: 9)")
statements(
    "TestScheduler.start(_:)",
    "let scheduler = TestScheduler(); let observer = scheduler.start { SOURCE(2).pairwise() }; for x in observer.values { log.add(pair(key(x.0), key(x.1))) }",
    received((0, 1)))
statements(
    ("BlockingObservable.toArray()", "BlockingObservable.first()", "BlockingObservable.last()"),
    "let x = (try? SOURCE(2).toBlocking().toArray()) ?? []; log.add(x.reduce(7) { $0 &* 31 &+ key($1) }); "
    "if let f = try? SOURCE(2).toBlocking().first() { log.add(key(f)) }; if let l = try? SOURCE(2).toBlocking().last() { log.add(key(l)) }",
    "[list([keyed(0), keyed(1)]), keyed(0), keyed(1)]", needs="not-optional")
