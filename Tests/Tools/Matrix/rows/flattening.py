"""Operators of streams of streams, and of groups of elements."""

from row import *

row("buffer(count:skip:)", "SOURCE(5).buffer(count: 2)", emits([0, 1], [2, 3], [4]), read=LIST)
row("buffer(count:skip:)", "SOURCE(4).buffer(count: 2, skip: 1)", emits([0, 1], [1, 2], [2, 3], [3]), read=LIST)
row(
    "buffer(boundary:)", "a.buffer(boundary: b)", emits([0, 1], [2]), read=LIST,
    before="let a = PublishSubject<Element>(); let b = PublishSubject<Int>()",
    after="a.onNext(make(0)); a.onNext(make(1)); b.onNext(1); a.onNext(make(2)); a.onCompleted()")
row(
    "buffer(timeSpan:count:scheduler:)", "a.buffer(timeSpan: .seconds(2), count: 2, scheduler: scheduler).filter { !$0.isEmpty }",
    emits([0, 1], [2]), read=LIST, before=SUBJECT_AND_CLOCK,
    after="a.onNext(make(0)); a.onNext(make(1)); scheduler.advance(by: 1); a.onNext(make(2)); scheduler.advance(by: 5); a.onCompleted()")
row("window(count:skip:)", "SOURCE(5).window(count: 2).concatMap { $0.toArray() }", emits([0, 1], [2, 3], [4]), read=LIST)
row(
    "window(boundary:)", "a.window(boundary: b).flatMap { $0 }", emits(0, 1, 2), before=SUBJECTS,
    after="a.onNext(make(0)); b.onNext(make(8)); a.onNext(make(1)); a.onNext(make(2)); a.onCompleted()")
row(
    "window(timeSpan:count:scheduler:)", "a.window(timeSpan: .seconds(2), scheduler: scheduler).flatMap { $0 }", emits(0, 1),
    before=SUBJECT_AND_CLOCK, after="a.onNext(make(0)); scheduler.advance(by: 5); a.onNext(make(1)); a.onCompleted()")
row("concatMap(delayErrors:_:)", "SOURCE(2).concatMap { x in Observable<Element>.of(x, make(9)) }", emits(0, 9, 1, 9))
row("concatMapEager(maxConcurrent:_:)", "SOURCE(3).concatMapEager(maxConcurrent: 2) { x in Observable<Element>.of(x, x) }", emits(0, 0, 1, 1, 2, 2))
row("flatMap(maxConcurrent:delayErrors:_:)", "SOURCE(2).flatMap { x in Observable<Element>.of(x, make(9)) }", emits(0, 9, 1, 9))
row("flatMap(maxConcurrent:delayErrors:_:)", "SOURCE(3).flatMap { Observable.just(($0, $0)) }", emits((0, 0), (1, 1), (2, 2)), read=PAIR)
row("flatMap(maxConcurrent:delayErrors:_:)", "SOURCE(3).flatMap { Single<Element>.just($0) }", emits(0, 1, 2))
row(
    "flatMap(maxConcurrent:delayErrors:_:)", "SOURCE(3).flatMap(maxConcurrent: 1) { x in Observable<Element>.of(x, make(8)) }",
    emits(0, 8, 1, 8, 2, 8))
row(
    "flatMap(maxConcurrent:delayErrors:_:)",
    "SOURCE(3).flatMap { (x: Element) throws -> Observable<Element> in if tally.next() == 2 { throw Fault.a }; return .just(x) }", fails(0),
    before=TALLY)
row("flatMapFirst(_:)", "SOURCE(2).flatMapFirst { x in Observable<Element>.of(x, make(9)) }", emits(0, 9, 1, 9))
row("flatMapLatest(_:)", "SOURCE(3).flatMapLatest { x in Observable<Element>.of(x, make(9)) }", emits(0, 9, 1, 9, 2, 9))
row(
    "flatMapLatest(_:)", "a.flatMapLatest { x in b.map { y in (x, y) } }", emits((0, 5), (1, 6)), read=PAIR, before=SUBJECTS,
    after="a.onNext(make(0)); b.onNext(make(5)); a.onNext(make(1)); b.onNext(make(6)); a.onCompleted(); b.onCompleted()")
row("flatMapIterable(_:)", "SOURCE(2).flatMapIterable { [$0, make(8)] }", emits(0, 8, 1, 8))
row(
    "groupBy(bufferSize:keySelector:)", "SOURCE(4).groupBy { _ in tally.next() % 2 }.flatMap { g in g.map { (g.key, $0) } }",
    "[pair(1, keyed(0)), pair(0, keyed(1)), pair(1, keyed(2)), pair(0, keyed(3)), completed]", read=NUMBER_WITH_ELEMENT, before=TALLY)
row("expand(maxConcurrent:_:)", "SOURCE(1).expand { x in tally.next() < 3 ? .just(make(tally.value)) : .empty() }", emits(0, 1, 2), before=TALLY)
row("concat(delayErrors:)", "Observable.of(SOURCE(1), SOURCE(2, 1)).concat()", emits(0, 1, 2))
row("merge(maxConcurrent:overflow:delayErrors:)", "Observable.of(SOURCE(2), SOURCE(1, 2)).merge(maxConcurrent: 1)", emits(0, 1, 2))
row("switchLatest()", "Observable.of(SOURCE(2), SOURCE(1, 2)).switchLatest()", emits(0, 1, 2))
row(
    "switchLatest()", "outer.switchLatest()", emits(0, 6),
    before="let outer = PublishSubject<PublishSubject<Element>>(); let a = PublishSubject<Element>(); let b = PublishSubject<Element>()",
    after="outer.onNext(a); a.onNext(make(0)); outer.onNext(b); a.onNext(make(1)); b.onNext(make(6)); outer.onCompleted(); b.onCompleted()")
