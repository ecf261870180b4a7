"""Operators that give one answer about a complete stream."""

from row import *

row(
    "reduce(_:accumulator:)", "SOURCE(3).reduce(1) { $0 &* 3 &+ key($1) }", "[((1 &* 3 &+ keyed(0)) &* 3 &+ keyed(1)) &* 3 &+ keyed(2), completed]",
    read=NUMBER)
row("reduce(_:accumulator:)", "SOURCE(3).reduce(make(5)) { _, x in x }", emits(2))
row("reduce(_:accumulator:)", "SOURCE(3).reduce((make(4), make(5))) { a, x in (a.1, x) }", emits((1, 2)), read=PAIR)
row(
    "reduce(_:accumulator:mapResult:)",
    "SOURCE(3).reduce((make(4), 0), accumulator: { a, x in (x, a.1 &+ 1) }, mapResult: { a in pair(key(a.0), a.1) })",
    "[pair(keyed(2), 3), completed]", read=NUMBER)
row("reduce(into:accumulator:)", "SOURCE(3).reduce(into: [Element]()) { a, x in a.insert(x, at: 0) }", emits([2, 1, 0]), read=LIST)
row("all(_:)", "SOURCE(3).all { key($0) != -12345 }", "[1, completed]", read=TRUTH)
row("any(_:)", "SOURCE(3).any { key($0) == -12345 }", "[0, completed]", read=TRUTH)
row(
    "average()", "SOURCE(3).map { key($0) & 0xff }.average()", "[Int(Double((0..<3).reduce(0) { $0 &+ keyed($1) & 0xff }) / 3 * 1024), completed]",
    read="Int(x * 1024)")
row("contains(_:)", "SOURCE(3).contains(make(2))", "[1, completed]", read=TRUTH, needs="hashable")
row("count()", "SOURCE(3).count()", "[3, completed]", read=NUMBER)
row("count(where:)", "SOURCE(3).count(where: { key($0) != -12345 })", "[3, completed]", read=NUMBER)
row("isEmpty()", "SOURCE(3).isEmpty()", "[0, completed]", read=TRUTH)
row("isEmpty()", "SOURCE(0).isEmpty()", "[1, completed]", read=TRUTH)
row("max(by:)", "SOURCE(5).max { key($0) < key($1) }", "[(0..<5).map { keyed($0) }.max()!, completed]")
row("min(by:)", "SOURCE(5).min { key($0) < key($1) }", "[(0..<5).map { keyed($0) }.min()!, completed]")
row("max()", "SOURCE(5).map { key($0) }.max()", "[(0..<5).map { keyed($0) }.max()!, completed]", read=NUMBER)
row("sorted(by:)", "SOURCE(4).sorted { key($0) < key($1) }", "[list((0..<4).map { keyed($0) }.sorted()), completed]", read=LIST)
row(
    "sum()", "SOURCE(3).map { key($0) & 0xffff }.sum()", "[(keyed(0) & 0xffff) &+ (keyed(1) & 0xffff) &+ (keyed(2) & 0xffff), completed]",
    read=NUMBER)
row("toArray()", "SOURCE(4).toArray()", emits([0, 1, 2, 3]), read=LIST)
row(
    "toDictionary(keySelector:)", "SOURCE(4).toDictionary(keySelector: { _ in tally.next() })",
    "[keyed(0) &+ keyed(1) &+ keyed(2) &+ keyed(3), completed]", read="x.values.reduce(0) { $0 &+ key($1) }", before=TALLY)
row(
    "toDictionary(keySelector:valueSelector:)", "SOURCE(4).toDictionary(keySelector: { _ in tally.next() }, valueSelector: { (1, $0) })",
    "[keyed(0) &+ keyed(1) &+ keyed(2) &+ keyed(3), completed]", read="x.values.reduce(0) { $0 &+ key($1.1) }", before=TALLY)
row(
    "toSet()", "SOURCE(4).toSet()", "[unique(elements(4)).reduce(0) { $0 &+ key($1) }, completed]",
    read="x.reduce(0) { $0 &+ key($1) }", needs="hashable")
row("min()", "SOURCE(5).map { key($0) }.min()", "[(0..<5).map { keyed($0) }.min()!, completed]", read=NUMBER)
row("sorted()", "SOURCE(4).map { key($0) }.sorted()", "[list((0..<4).map { keyed($0) }.sorted()), completed]", read="list(x)")
