"""Operators that transform each element."""

from row import *

row("map(_:)", "SOURCE(3).map { key($0) &+ 1 }", "[keyed(0) &+ 1, keyed(1) &+ 1, keyed(2) &+ 1, completed]", read=NUMBER)
row("map(_:)", "SOURCE(3).map { $0 }", emits(0, 1, 2))
row("map(_:)", "SOURCE(3).map { ($0, $0) }", emits((0, 0), (1, 1), (2, 2)), read=PAIR)
row("map(_:)", "SOURCE(3).map { x throws -> Element in if tally.next() == 2 { throw Fault.a }; return x }", fails(0), before=TALLY)
row("map(_:)", "SOURCE(3).map { (x: Element) throws(Fault) -> Element in if tally.next() == 2 { throw Fault.a }; return x }", fails(0), before=TALLY)
row(("map(_:)", "unwrap()"), "SOURCE(3).map { Optional($0) }.unwrap()", emits(0, 1, 2))
row("mapTo(_:)", "SOURCE(2).mapTo(make(7))", emits(7, 7))
row("mapTo(_:)", "SOURCE(2).mapTo((make(7), make(8)))", emits((7, 8), (7, 8)), read=PAIR)
row("compactMap(_:)", "SOURCE(4).compactMap { tally.next() % 2 == 0 ? Optional<Element>.some($0) : nil }", emits(1, 3), before=TALLY)
row("compactMap(_:)", "SOURCE(3).compactMap { key($0) }", emits(0, 1, 2), read=NUMBER)
row("unwrap()", "Observable<Element?>.of(make(0), nil, make(1)).unwrap()", emits(0, 1))
row(
    "scan(_:accumulator:)", "SOURCE(3).scan(0) { $0 &* 3 &+ key($1) }",
    "[keyed(0), keyed(0) &* 3 &+ keyed(1), (keyed(0) &* 3 &+ keyed(1)) &* 3 &+ keyed(2), completed]", read=NUMBER)
row("scan(_:accumulator:)", "SOURCE(3).scan(make(5)) { _, x in x }", emits(0, 1, 2))
row(
    "scan(_:accumulator:)", "SOURCE(3).scan((0, make(5))) { a, x in (a.0 &+ 1, x) }",
    "[pair(1, keyed(0)), pair(2, keyed(1)), pair(3, keyed(2)), completed]", read=NUMBER_WITH_ELEMENT)
row("scan(into:accumulator:)", "SOURCE(3).scan(into: [Element]()) { a, x in a.append(x) }", emits([0], [0, 1], [0, 1, 2]), read=LIST)
row(
    "scan(into:accumulator:)", "SOURCE(2).scan(into: (n: 0, last: make(4))) { a, x in a.n &+= 1; a.last = x }",
    "[pair(1, keyed(0)), pair(2, keyed(1)), completed]", read="pair(x.n, key(x.last))")
row(
    "scan(_:accumulator:)", "SOURCE(3).scan(make(5)) { _, x throws -> Element in if tally.next() == 3 { throw Fault.a }; return x }", fails(0, 1),
    before=TALLY)
row(
    "enumerated()", "SOURCE(3).enumerated()", "[pair(0, keyed(0)), pair(1, keyed(1)), pair(2, keyed(2)), completed]",
    read="pair(x.index, key(x.element))")
row("enumerated()", "SOURCE(3).enumerated().map { $0.index &+ key($0.element) }", "[keyed(0), keyed(1) &+ 1, keyed(2) &+ 2, completed]", read=NUMBER)
row("enumerated()", "SOURCE(3).enumerated().map { $0.index }", "[0, 1, 2, completed]", read=NUMBER)
row("enumerated()", "SOURCE(4).enumerated().filter { $0.index % 2 == 1 }.map { $0.element }", emits(1, 3))
row("pairwise()", "SOURCE(3).pairwise()", emits((0, 1), (1, 2)), read=PAIR)
row("pairwise()", "SOURCE(3).pairwise().map { $0.1 }", emits(1, 2))
row("nwise(_:)", "SOURCE(4).nwise(3)", emits([0, 1, 2], [1, 2, 3]), read=LIST)
row("cast(to:)", "SOURCE(3).map { $0 as any Sendable }.cast(to: Element.self)", emits(0, 1, 2), needs="nominal")
row("ofType(_:)", "SOURCE(3).map { $0 as any Sendable }.ofType(Element.self)", emits(0, 1, 2), needs="nominal")
row(
    "cast(to:)", "SOURCE(3).map { x in tally.next() == 2 ? Fault.a as any Sendable : x as any Sendable }.cast(to: Element.self)", fails(0),
    before=TALLY, needs="nominal")
row(
    "materialize()", "SOURCE(2).materialize()", "[keyed(0), keyed(1), -5, completed]",
    read="{ switch x { case .next(let y): key(y); case .error: -6; case .completed: -5 } }()")
row("dematerialize()", "SOURCE(3).materialize().dematerialize()", emits(0, 1, 2))
row("elements()", "SOURCE(3).materialize().elements()", emits(0, 1, 2))
row("errors()", "FAILING(1).materialize().errors()", "[1, completed]", read="((x as? Fault) == .a ? 1 : 0)")
row("timestamp(scheduler:)", "SOURCE(2).timestamp(scheduler: scheduler)", emits(0, 1), read="key(x.value) &+ (x.time == .zero ? 0 : 1)", before=CLOCK)
row(
    "timeInterval(scheduler:)", "SOURCE(2).timeInterval(scheduler: scheduler)", emits(0, 1), read="key(x.value) &+ (x.interval == .zero ? 0 : 1)",
    before=CLOCK)
row("withUnretained(_:)", "SOURCE(2).withUnretained(tally)", emits(0, 1), read="key(x.1) &+ x.0.value", before=TALLY)
row(
    "withUnretained(_:resultSelector:)", "SOURCE(2).withUnretained(tally) { o, x in (x, o.value) }", emits(0, 1), read="key(x.0) &+ x.1",
    before=TALLY)
