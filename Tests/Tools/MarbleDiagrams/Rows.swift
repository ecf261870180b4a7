import StreamsTesting

extension Gallery {
    /// The pictures, by chapter; an operator joins by a line.
    static let rows = transforming + filtering + combining + errors + timing

    private static let transforming = [
        Row("map { $0.uppercased() }", "-a-b-c-|") { source, _ in source[0].map { $0.uppercased() } },
        Row("compactMap(Int.init), as text", "-1-x-3-|") { source, _ in source[0].compactMap { Int($0) }.map { "\($0)" } },
        Row("scan(\"\", accumulator: +)", "-a-b-c-|") { source, _ in source[0].scan("", accumulator: +) },
        Row("pairwise()", "-a-b-c-|") { source, _ in source[0].pairwise().map { $0 + $1 } },
        Row("flatMap { twice, one second later }", "-a-----b--|") { source, scheduler in
            source[0].flatMap { Observable.of($0, $0.uppercased()).delay(.seconds(1), scheduler: scheduler) }
        },
        Row("flatMapLatest { after three seconds }", "-a-b------|") { source, scheduler in
            source[0].flatMapLatest { Observable.just($0).delay(.seconds(3), scheduler: scheduler) }
        },
        Row("concatMap { after three seconds }", "-a-b------|") { source, scheduler in
            source[0].concatMap { Observable.just($0).delay(.seconds(3), scheduler: scheduler) }
        },
        Row("flatMapFirst { after three seconds }", "-a-b---c--|") { source, scheduler in
            source[0].flatMapFirst { Observable.just($0).delay(.seconds(3), scheduler: scheduler) }
        },
        Row("toArray()", "-a-b-c-|") { source, _ in source[0].toArray().map { $0.joined() } },
        Row("reduce(\"\", accumulator: +)", "-a-b-c-|") { source, _ in source[0].reduce("", accumulator: +) },
    ]

    private static let filtering = [
        Row("filter { $0 != \"b\" }", "-a-b-c-|") { source, _ in source[0].filter { $0 != "b" } },
        Row("distinctUntilChanged()", "-a-a-b-a-|") { source, _ in source[0].distinctUntilChanged() },
        Row("take(2)", "-a-b-c-|") { source, _ in source[0].take(2) },
        Row("skip(1)", "-a-b-c-|") { source, _ in source[0].skip(1) },
        Row("take(while: { $0 < \"c\" })", "-a-b-c-d-|") { source, _ in source[0].take(while: { $0 < "c" }) },
        Row("take(until:)", "-a-b-c-d-|", "------x--|") { source, _ in source[0].take(until: source[1]) },
        Row("takeLast(2)", "-a-b-c-|") { source, _ in source[0].takeLast(2) },
        Row("sample(_:)", "-a-b-c-d-|", "--x---x-x|") { source, _ in source[0].sample(source[1]) },
    ]

    private static let combining = [
        Row("merge", "-a---c--|", "---b---d--|") { source, _ in Observable.merge(source) },
        Row("concat, of a second that is hot", "-a-b-|", "---x---y-|") { source, _ in Observable.concat(source) },
        Row("combineLatest", "-a---b---|", "--x----y-|") { source, _ in
            Observable.combineLatest(source[0], source[1]) { $0 + $1 }
        },
        Row("zip", "-a-b-c---|", "--x----y-|") { source, _ in Observable.zip(source[0], source[1]) { $0 + $1 } },
        Row("withLatestFrom", "--a--b--c|", "-x-----y-|") { source, _ in source[0].withLatestFrom(source[1]) { $0 + $1 } },
        Row("startWith(\"s\")", "-a-b-|") { source, _ in source[0].startWith("s") },
        Row("amb", "---a-b-|", "-x-y-|") { source, _ in source[0].amb(source[1]) },
    ]

    private static let errors = [
        Row("catchAndReturn(\"r\")", "-a-b-#") { source, _ in source[0].catchAndReturn("r") },
        Row("materialize(), by name", "-a-b-#") { source, _ in
            source[0].materialize().map { $0.element ?? ($0.isCompleted ? "C" : "E") }
        },
        Row("replaceEmpty(with: \"e\")", "-----|") { source, _ in source[0].replaceEmpty(with: "e") },
    ]

    private static let timing = [
        Row("delay(3 s)", "-a-b-|") { source, scheduler in source[0].delay(.seconds(3), scheduler: scheduler) },
        Row("debounce(2 s)", "-ab---c---d|") { source, scheduler in source[0].debounce(.seconds(2), scheduler: scheduler) },
        Row("throttle(3 s)", "-abc---d---|") { source, scheduler in source[0].throttle(.seconds(3), scheduler: scheduler) },
        Row("throttle(3 s, latest: false)", "-abc---d---|") { source, scheduler in
            source[0].throttle(.seconds(3), latest: false, scheduler: scheduler)
        },
        Row("timeout(3 s)", "-a-b------c-|") { source, scheduler in source[0].timeout(.seconds(3), scheduler: scheduler) },
        Row("interval(2 s).take(3)") { _, scheduler in
            Observable<Int>.interval(.seconds(2), scheduler: scheduler).take(3).map { "\($0)" }
        },
    ]
}
