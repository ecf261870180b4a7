"""Chains of several operators, which a seed puts together. Each keeps or drops elements, so that plain Swift over their keys is the model."""

from row import Row

# The operator, and what it does with `keys`, if anything.
links = [
    (".map { $0 }", ""), (".filter { key($0) & 3 != 1 }", "keys = keys.filter { $0 & 3 != 1 }"), (".take(4)", "keys = Array(keys.prefix(4))"),
    (".skip(1)", "keys = Array(keys.dropFirst(1))"), (".takeLast(3)", "keys = Array(keys.suffix(3))"), (".skipLast(1)", "keys = Array(keys.dropLast(1))"),
    (".distinctUntilChanged { key($0) }", "keys = changes(keys)"), (".distinct { key($0) }", "keys = unique(keys)"),
    (".startWith(make(7))", "keys = [keyed(7)] + keys"), (".endWith(make(9))", "keys += [keyed(9)]"), (".scan(make(3)) { _, x in x }", ""),
    (".enumerated().map { $0.element }", ""), (".pairwise().map { $0.1 }", "keys = Array(keys.dropFirst(1))"),
    (".pairwise().map { $0.0 }", "keys = Array(keys.dropLast(1))"), (".buffer(count: 2).flatMapIterable { $0 }", ""),
    (".materialize().dematerialize()", ""), (".flatMap { Observable<Element>.just($0) }", ""),
    (".concatMap { Observable<Element>.of($0, make(5)) }", "keys = keys.flatMap { [$0, keyed(5)] }"), (".do(onNext: { _ in })", ""),
    (".observe(on: CurrentThreadScheduler.instance)", ""), (".share()", ""),
    (".compactMap { key($0) & 1 == 0 ? Optional<Element>.some($0) : nil }", "keys = keys.filter { $0 & 1 == 0 }"),
    (".map { Optional($0) }.unwrap()", ""), (".map { ($0, $0) }.map { $0.0 }", ""),
    (".zip(Observable<Int>.range(start: 0, count: 3)).map { $0.0 }", "keys = Array(keys.prefix(3))"),
    (".withLatestFrom(Observable<Element>.just(make(4))) { a, _ in a }", ""), (".toArray().flatMapIterable { $0 }", ""),
    (".scan(into: (0, make(2))) { a, x in a.0 &+= 1; a.1 = x }.map { $0.1 }", ""), (".nwise(2).map { $0[1] }", "keys = Array(keys.dropFirst(1))"),
    (".catchAndReturn(make(1))", ""), (".reduce((0, make(6))) { a, x in (a.0 &+ 1, x) }.map { $0.1 }", "keys = [keys.last ?? keyed(6)]"),
    (".first().catchAndReturn(make(8))", "keys = [keys.first ?? keyed(8)]"), (".ifEmpty(default: make(2))", "keys = keys.isEmpty ? [keyed(2)] : keys"),
    (".convertToResult().asObservable().compactMap { r -> Element? in if case .success(let x) = r { .some(x) } else { nil } }", ""), (".groupBy { key($0) & 1 }.flatMap { g in g.asObservable() }", ""),
    (".sorted { key($0) < key($1) }.flatMapIterable { $0 }", "keys = keys.sorted()"),
    (".skip(while: { key($0) & 1 == 1 })", "keys = Array(keys.drop { $0 & 1 == 1 })"),
    (".take(while: { key($0) & 7 != 7 })", "keys = Array(keys.prefix { $0 & 7 != 7 })"),
    (".suspended(while: Observable<Bool>.just(false), scheduler: ImmediateScheduler.instance)", ""),
    (".flatMapLatest { Observable<Element>.just($0) }", ""),
]


def chain(number, random):
    """The row of a chain of two to six operators."""
    chosen = [random.choice(links) for _ in range(random.randint(2, 6))]
    count = random.randint(3, 6)
    model = "; ".join([f"var keys = (0..<{count}).map {{ keyed($0) }}", *(change for _, change in chosen if change), "keys.append(completed)", "return keys"])
    return Row("chain", number, ("a chain",), f"SOURCE({count})" + "".join(code for code, _ in chosen), f"{{ () -> [Int] in {model} }}()")
