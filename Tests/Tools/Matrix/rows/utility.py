"""Operators that leave the elements as they are, and nodes."""

from row import *

row("apply(_:)", "SOURCE(3).apply { $0.skip(1).map { $0 } }", emits(1, 2))
row("debug(_:trimOutput:file:line:output:)", 'SOURCE(2).debug("d", output: { _ in })', emits(0, 1))
row(
    "do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)",
    "SOURCE(2).do(onNext: { x in log.add(key(x) &* 3) })", "[keyed(0) &* 3, keyed(0), keyed(1) &* 3, keyed(1), completed]")
row(
    "do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)",
    "SOURCE(2).do(onNext: { _ in }, afterNext: { x in log.add(key(x) &* 3) }, onCompleted: { log.add(5) })",
    "[keyed(0), keyed(0) &* 3, keyed(1), keyed(1) &* 3, 5, completed]")
row(
    "do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)",
    "SOURCE(2).do(onNext: { x throws in if tally.next() == 2 { throw Fault.a } })", fails(0), before=TALLY)
row("observe(on:)", "SOURCE(3).observe(on: CurrentThreadScheduler.instance)", emits(0, 1, 2))
row("observe(on:)", "SOURCE(3).observe(on: scheduler)", emits(0, 1, 2), before=CLOCK, after="scheduler.advance(by: 9)")
row(
    "observe(on:overflow:)", "SOURCE(4).observe(on: scheduler, overflow: .dropOldest(capacity: 2))", emits(2, 3), before=CLOCK,
    after="scheduler.advance(by: 9)")
row("subscribe(on:)", "SOURCE(3).subscribe(on: ImmediateScheduler.instance)", emits(0, 1, 2), cold=True)
row("subscribe(on:)", "SOURCE(3).subscribe(on: scheduler)", emits(0, 1, 2), before=CLOCK, after="scheduler.advance(by: 9)", cold=True)
row("suspended(by:overflow:)", "SOURCE(3).suspended(by: su)", emits(0, 1, 2), before="let su = Suspension(); su.suspend()", after="su.resume()")
row(
    "suspended(while:overflow:scheduler:)", "SOURCE(3).suspended(while: Observable<Bool>.just(false), scheduler: ImmediateScheduler.instance)",
    emits(0, 1, 2))
row("trace(_:file:line:)", 'SOURCE(3).trace("here")', emits(0, 1, 2))
row("through(_:)", "SOURCE(2).through(AnyNode<Element, Element> { x in .of(x, x) })", emits(0, 0, 1, 1))
row(
    "ObservableType.through(_:)", "SOURCE(2).through(AnyNode<Element, (Element, Int)> { x in .just((x, 3)) }, .concat)",
    "[pair(keyed(0), 3), pair(keyed(1), 3), completed]", read=PAIR_WITH_NUMBER)
row("through(_:)", 'SOURCE(2).through(StepMap<Element, Int>("m") { key($0) })', emits(0, 1), read=NUMBER)
row(("logged(_:to:)", "noting(_:as:_:)"), 'SOURCE(2).noting(.info, as: "n") { e in e.element.map { "\\(key($0))" } }.logged { _ in }', emits(0, 1))
row("trackActivity(_:)", "SOURCE(2).trackActivity(LoadIndicator())", emits(0, 1))
row("abortable(by:)", "SOURCE(2).abortable(by: Aborter())", emits(0, 1))
row("logging(_:)", "Observable<Element>.logging { _ in SOURCE(2) }", emits(0, 1))
row(
    "refreshing(with:when:)", "Observable<Element>.deferred { tally.next() < 2 ? FAILING(1) : SOURCE(2, 1) }.refreshing(with: refresher) { $0 is Fault }",
    emits(0, 1, 2),
    before="let tally = Tally(); "
    "let refresher = TokenRefresherNode(chain: AnyNode<Void, Int> { _ in .just(1) }, scheduler: TestScheduler()) { _ in }")
statements(
    "assign(to:)",
    "let model = Model<Element>(make(4)); SOURCE(2).replaceError(with: make(9)).assign(to: &model.$value); log.add(key(model.value))",
    received(1), needs="main")
