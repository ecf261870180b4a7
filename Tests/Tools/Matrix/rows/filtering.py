"""Operators that select elements."""

from row import *

row("unwrap(orThrow:)", "Observable<Element?>.of(make(0), nil, make(1)).unwrap(orThrow: Fault.a)", fails(0))
row("replaceNil(with:)", "Observable<Element?>.of(make(0), nil, make(1)).replaceNil(with: make(9))", emits(0, 9, 1))
row("filter(_:)", "SOURCE(4).filter { _ in tally.next() % 2 == 0 }", emits(1, 3), before=TALLY)
row(
    "filter(_:)", "SOURCE(6).filter { key($0) & 1 == 0 }",
    "[keyed(0), keyed(1), keyed(2), keyed(3), keyed(4), keyed(5)].filter { $0 & 1 == 0 } + [completed]")
row("distinct(capacity:_:)", "SOURCE(6).distinct { key($0) }", "unique((0..<6).map { keyed($0) }) + [completed]")
row(
    "distinct(capacity:)", "Observable<Element>.of(make(0), make(1), make(0), make(1), make(2)).distinct()",
    "unique([0, 1, 0, 1, 2].map { make($0) }).map { key($0) } + [completed]", needs="hashable")
row(
    "distinct(capacity:)", "Observable<Element>.of(make(0), make(1), make(0)).distinct(capacity: 5)",
    "unique([0, 1, 0].map { make($0) }).map { key($0) } + [completed]", needs="hashable")
row(
    "distinctUntilChanged()", "Observable<Element>.of(make(0), make(0), make(1), make(1), make(2), make(0)).distinctUntilChanged()",
    "changes([0, 0, 1, 1, 2, 0].map { make($0) }).map { key($0) } + [completed]", needs="hashable")
row(
    "distinctUntilChanged()", "SOURCE(5).distinctUntilChanged()", "changes(elements(5)).map { key($0) } + [completed]",
    needs="hashable")
row(
    "distinctUntilChanged()", "Observable<Element?>.of(nil, nil, make(1), make(1), nil).distinctUntilChanged()", "[-9, keyed(1), -9, completed]",
    read="(x.map { key($0) } ?? -9)", needs="hashable")
row(
    "distinctUntilChanged(_:)", "Observable<Element>.of(make(0), make(0), make(1), make(1), make(2)).distinctUntilChanged { key($0) }",
    "changes([0, 0, 1, 1, 2].map { keyed($0) }) + [completed]")
row(
    "distinctUntilChanged(by:)",
    "Observable<Element>.of(make(0), make(0), make(1), make(1), make(2)).distinctUntilChanged(by: { key($0) == key($1) })",
    "changes([0, 0, 1, 1, 2].map { keyed($0) }) + [completed]")
row("element(at:)", "SOURCE(4).element(at: 2)", emits(2))
row("first()", "SOURCE(4).first()", emits(0))
row("first(where:)", "SOURCE(4).first { _ in tally.next() == 3 }", emits(2), before=TALLY)
row("ignoreElements()", "SOURCE(4).ignoreElements().map { _ in make(1) }", emits())
row("last()", "SOURCE(4).last()", emits(3))
row(
    "partition(_:)", "Observable<Element>.merge(p.matches, p.nonMatches)", emits(0, 2, 1, 3),
    before="let tally = Tally(); let p = SOURCE(4).partition { _ in (tally.next() - 1) / 1 % 2 == 0 }")
row("pausable(_:)", "SOURCE(3).pausable(Observable<Bool>.just(true).concat(Observable<Bool>.never()))", emits(0, 1, 2))
row(
    "sample(_:defaultValue:)", "a.sample(b)", emits(1, 2), before="let a = PublishSubject<Element>(); let b = PublishSubject<Int>()",
    after="a.onNext(make(0)); a.onNext(make(1)); b.onNext(0); b.onNext(0); a.onNext(make(2)); b.onNext(0); a.onCompleted(); b.onCompleted()")
row("sample(_:defaultValue:)", "Observable<Element>.never().sample(SOURCE(2), defaultValue: make(9)).take(2)", emits(9, 9))
row(
    "sample(_:scheduler:)", "a.sample(.seconds(1), scheduler: scheduler)", received(1), before=SUBJECT_AND_CLOCK,
    after="a.onNext(make(0)); a.onNext(make(1)); scheduler.advance(by: 3)")
row("single()", "SOURCE(1).single()", emits(0))
row("single()", "SOURCE(2).single()", fails(0))
row("single(_:)", "SOURCE(3).single { _ in tally.next() == 2 }", emits(1), before=TALLY)
row("skip(_:)", "SOURCE(4).skip(2)", emits(2, 3))
row(
    "skip(for:scheduler:)", "a.skip(for: .seconds(1), scheduler: scheduler)", emits(1), before=SUBJECT_AND_CLOCK,
    after="a.onNext(make(0)); scheduler.advance(by: 2); a.onNext(make(1)); a.onCompleted()")
row("skip(until:)", "a.skip(until: b)", emits(1), before=SUBJECTS, after="a.onNext(make(0)); b.onNext(make(5)); a.onNext(make(1)); a.onCompleted()")
row("skip(while:)", "SOURCE(4).skip(while: { _ in tally.next() < 3 })", emits(2, 3), before=TALLY)
row("skipLast(_:)", "SOURCE(4).skipLast(2)", emits(0, 1))
row("take(_:)", "SOURCE(4).take(2)", emits(0, 1))
row(
    "take(for:scheduler:)", "a.take(for: .seconds(1), scheduler: scheduler)", emits(0), before=SUBJECT_AND_CLOCK,
    after="a.onNext(make(0)); scheduler.advance(by: 2); a.onNext(make(1))")
row("take(until:)", "a.take(until: b)", emits(0), before=SUBJECTS, after="a.onNext(make(0)); b.onNext(make(5)); a.onNext(make(1))")
row("take(while:behavior:)", "SOURCE(4).take(while: { _ in tally.next() < 3 })", emits(0, 1), before=TALLY)
row("take(while:behavior:)", "SOURCE(4).take(while: { _ in tally.next() < 3 }, behavior: .inclusive)", emits(0, 1, 2), before=TALLY)
row("takeLast(_:)", "SOURCE(4).takeLast(2)", emits(2, 3))
row(
    "takeLast(for:scheduler:)", "a.takeLast(for: .seconds(2), scheduler: scheduler)", emits(1, 2), before=SUBJECT_AND_CLOCK,
    after="a.onNext(make(0)); scheduler.advance(by: 5); a.onNext(make(1)); a.onNext(make(2)); a.onCompleted()")
row("validate(using:)", "SOURCE(3).validate(using: { x in if key(x) == -12345 || tally.next() == 3 { throw Fault.a } })", fails(0, 1), before=TALLY)
