"""Operators of several streams."""

from row import *

row("amb(_:)", "Observable<Element>.amb(SOURCE(2), SOURCE(3))", emits(0, 1))
row("amb(_:)", "SOURCE(2).amb(Observable<Element>.never())", emits(0, 1))
row("combineLatest(_:delayErrors:)", "Observable.combineLatest(SOURCE(2), SOURCE(2, 5))", emits((1, 5), (1, 6)), read=PAIR)
row(
    "combineLatest(_:delayErrors:resultSelector:)", "Observable<Element>.combineLatest(SOURCE(2), SOURCE(2, 5), resultSelector: { _, y in y })",
    emits(5, 6))
row(
    "combineLatest(_:delayErrors:)", "Observable.combineLatest(SOURCE(1), SOURCE(1, 3), SOURCE(2, 5))",
    "[pair(keyed(0), pair(keyed(3), keyed(5))), pair(keyed(0), pair(keyed(3), keyed(6))), completed]",
    read="pair(key(x.0), pair(key(x.1), key(x.2)))")
row(
    "combineLatest(_:delayErrors:resultSelector:)",
    "Observable<Int>.combineLatest(SOURCE(1), SOURCE(1, 1), SOURCE(1, 2), SOURCE(1, 3), SOURCE(1, 4), resultSelector: { "
    "a, b, c, d, e in list([key(a), key(b), key(c), key(d), key(e)]) })",
    emits([0, 1, 2, 3, 4]), read=NUMBER)
row("combineLatest(_:delayErrors:)", "Observable.combineLatest([SOURCE(1), SOURCE(2, 3)])", emits([0, 3], [0, 4]), read=LIST)
row(
    "combineLatest(_:delayErrors:)", "SOURCE(1).combineLatest(Observable.of(1, 2))", "[pair(keyed(0), 1), pair(keyed(0), 2), completed]",
    read=PAIR_WITH_NUMBER, cold=True)
row(
    "combineLatest(_:delayErrors:)", "Observable.combineLatest(a, b)", emits((0, 5), (1, 5), (1, 6)), read=PAIR, before=SUBJECTS,
    after="a.onNext(make(0)); b.onNext(make(5)); a.onNext(make(1)); b.onNext(make(6)); a.onCompleted(); b.onCompleted()")
row("zip(_:delayErrors:)", "Observable.zip(SOURCE(3), SOURCE(2, 5))", emits((0, 5), (1, 6)), read=PAIR)
row("zip(_:delayErrors:resultSelector:)", "Observable<Element>.zip(SOURCE(3), SOURCE(2, 5), resultSelector: { x, _ in x })", emits(0, 1))
row(
    "zip(_:delayErrors:)", "Observable.zip(SOURCE(2), Observable.of(1, 2), SOURCE(2, 3))",
    "[pair(keyed(0), pair(1, keyed(3))), pair(keyed(1), pair(2, keyed(4))), completed]", read="pair(key(x.0), pair(x.1, key(x.2)))")
row(
    "zip(_:delayErrors:)", "SOURCE(1).zip(SOURCE(1, 1), SOURCE(1, 2), SOURCE(1, 3))", emits([0, 1, 2, 3]),
    read="list([key(x.0), key(x.1), key(x.2), key(x.3)])", cold=True)
row(
    "zip(_:delayErrors:resultSelector:)",
    "Observable<Int>.zip(SOURCE(1), SOURCE(1, 1), SOURCE(1, 2), SOURCE(1, 3), SOURCE(1, 4), SOURCE(1, 5), SOURCE(1, 6), SOURCE(1, 7), "
    "resultSelector: { a, b, c, d, e, f, g, h in list([key(a), key(b), key(c), key(d), key(e), key(f), key(g), key(h)]) })",
    emits([0, 1, 2, 3, 4, 5, 6, 7]), read=NUMBER)
row("zip(_:delayErrors:)", "Observable.zip([SOURCE(2), SOURCE(2, 3)])", emits([0, 3], [1, 4]), read=LIST)
row("zip(_:delayErrors:)", "SOURCE(2).zip(SOURCE(2, 3))", emits((0, 3), (1, 4)), read=PAIR, cold=True)
row("zip(_:delayErrors:)", "SOURCE(2).zip(Observable.of(1, 2)).map { $0.1 &+ key($0.0) }", "[keyed(0) &+ 1, keyed(1) &+ 2, completed]", read=NUMBER)
row(
    "zip(_:delayErrors:)", "Observable.zip(a, b)", received((0, 5), (1, 6)), read=PAIR, before=SUBJECTS,
    after="a.onNext(make(0)); a.onNext(make(1)); a.onNext(make(2)); b.onNext(make(5)); b.onNext(make(6))")
row("concat(_:delayErrors:)", "SOURCE(2).concat(SOURCE(2, 2))", emits(0, 1, 2, 3), cold=True)
row("concat(_:delayErrors:)", "Observable<Element>.concat(SOURCE(1), SOURCE(1, 1), SOURCE(1, 2))", emits(0, 1, 2))
row("concat(_:delayErrors:)", "Observable<Element>.concat([SOURCE(1), SOURCE(1, 1)])", emits(0, 1))
row("concat(_:delayErrors:)", "Observable<Element>.concat(FAILING(1), SOURCE(1, 1), delayErrors: true)", fails(0, 1))
row("endWith(_:)", "SOURCE(2).endWith(make(8), make(9))", emits(0, 1, 8, 9))
row("startWith(_:)", "SOURCE(2).startWith(make(8), make(9))", emits(8, 9, 0, 1))
row("startWith(_:)", "SOURCE(2).startWith(make(8))", emits(8, 0, 1))
row("ifEmpty(default:)", "SOURCE(0).ifEmpty(default: make(4))", emits(4))
row("ifEmpty(default:)", "SOURCE(2).ifEmpty(default: make(4))", emits(0, 1))
row("ifEmpty(switchTo:)", "SOURCE(0).ifEmpty(switchTo: SOURCE(2, 1))", emits(1, 2))
row("replaceEmpty(with:)", "SOURCE(0).replaceEmpty(with: make(4))", emits(4))
row("merge(_:delayErrors:)", "Observable<Element>.merge(SOURCE(2), SOURCE(2, 2))", emits(0, 1, 2, 3))
row("merge(_:delayErrors:)", "Observable<Element>.merge([SOURCE(2), SOURCE(2, 2), SOURCE(1, 4)])", emits(0, 1, 2, 3, 4))
row("merge(_:delayErrors:)", "Observable<Element>.merge(FAILING(1), SOURCE(2, 1), delayErrors: true)", fails(0, 1, 2))
row(
    "merge(_:delayErrors:)", "Observable<Element>.merge(a.asObservable(), b.asObservable())", emits(0, 5, 1), before=SUBJECTS,
    after="a.onNext(make(0)); b.onNext(make(5)); a.onNext(make(1)); a.onCompleted(); b.onCompleted()")
row("sequenceEqual(_:)", "SOURCE(3).sequenceEqual(SOURCE(3))", "[1, completed]", read=TRUTH, needs="hashable", cold=True)
row("sequenceEqual(_:)", "SOURCE(3).sequenceEqual(SOURCE(2))", "[0, completed]", read=TRUTH, needs="hashable", cold=True)
row("withLatestFrom(_:)", "SOURCE(2).withLatestFrom(Observable<Element>.of(make(5), make(6)))", emits(6, 6))
row(
    "withLatestFrom(_:resultSelector:)", "SOURCE(2).withLatestFrom(Observable<Element>.of(make(5), make(6))) { ($0, $1) }", emits((0, 6), (1, 6)),
    read=PAIR)
row(
    "withLatestFrom(_:resultSelector:)", "SOURCE(2).withLatestFrom(SOURCE(1, 3), SOURCE(1, 4)) { (a, b, c) in (a, b, c) }",
    "[pair(keyed(0), pair(keyed(3), keyed(4))), pair(keyed(1), pair(keyed(3), keyed(4))), completed]",
    read="pair(key(x.0), pair(key(x.1), key(x.2)))", cold=True)
row(
    "withLatestFrom(_:resultSelector:)",
    "SOURCE(1).withLatestFrom(SOURCE(1, 3), SOURCE(1, 4), Observable.just(7)) { a, b, c, d in list([key(a), key(b), key(c), d]) }",
    "[list([keyed(0), keyed(3), keyed(4), 7]), completed]", read=NUMBER, cold=True)
