import StreamsTesting

/// One thing that the catalogue knows of an operator.
public enum Facet: Sendable {
    /// What every operator has, or says why it has not.
    public enum Kind: String, CaseIterable, Sendable {
        case law, picture, fuzz
    }

    case law(OperatorRow)
    case picture(Picture)
    case fuzz(FuzzOperator)
    case benchmarks([String])
    case without([Kind], because: String)
}

/// A use of the operator that the laws run over. It takes what it needs of `up.source`, `up.other` and `up.scheduler` (virtual time; a
/// delay is one second), and calls `up.user` in each of its closures, under a number a closure where there are several. A second use says
/// what is different `as`. A boundary `keeps` so many elements of `up.source` while its consumer is suspended.
func law(
    _ traits: OperatorRow.Traits = [], as use: String = "", keeps bound: Int = 0,
    _ apply: @escaping @Sendable (Upstreams) -> Observable<Probed>
) -> Facet {
    .law(OperatorRow(use, traits, keeps: bound, apply))
}

/// The operator's marble diagram: hot inputs, the output, and the subscriptions of each input, one text an input; if nothing is said, each
/// lasts until the output terminates.
func picture<Element>(
    _ inputs: String..., gives result: String, where legend: [Character: String] = [:], failing error: any Error = TestError.failed,
    subscribed subscriptions: String..., file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (PictureInputs) -> Observable<Element>
) -> Facet {
    .picture(
        Picture(
            inputs: inputs, result: result, legend: legend, error: error,
            subscriptions: subscriptions.isEmpty ? inputs.map { _ in Picture.subscription(until: result) } : subscriptions,
            place: (file, line)
        ) { inputs in
            make(inputs).map { String(describing: $0) }
        })
}

/// The marble diagram of an operator on one input that starts anew for each subscriber.
func picture<Element>(
    cold input: String, gives result: String, subscribed subscriptions: String?, file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (PictureInputs) -> Observable<Element>
) -> Facet {
    .picture(
        Picture(
            isCold: true, inputs: [input], result: result, subscriptions: subscriptions.map { [$0] }, place: (file, line)
        ) { inputs in
            make(inputs).map { String(describing: $0) }
        })
}

/// A use of the operator in the pipelines of the fuzzer: its code, how it is built, and what it must do.
func fuzz(
    _ template: String, _ ranges: ClosedRange<Int>..., build: @escaping @Sendable (FuzzOperator.Parts) -> Observable<Int>,
    reference: @escaping @Sendable (Walk) throws -> Void
) -> Facet {
    .fuzz(FuzzOperator(template, ranges, build: build, reference: reference))
}

/// As `fuzz`, for an operator that passes everything on.
func fuzz(
    passing template: String, _ ranges: ClosedRange<Int>..., build: @escaping @Sendable (FuzzOperator.Parts) -> Observable<Int>
) -> Facet {
    .fuzz(FuzzOperator(template, ranges, build: build) { walk in try walk.each { walk.next($0) } })
}

/// As `fuzz`, for an operator that passes the end of its upstream on: what it does at each element.
func fuzz(
    _ template: String, _ ranges: ClosedRange<Int>..., build: @escaping @Sendable (FuzzOperator.Parts) -> Observable<Int>,
    each react: @escaping @Sendable (Walk, Int) -> Void
) -> Facet {
    .fuzz(FuzzOperator(template, ranges, build: build) { walk in try walk.each { react(walk, $0) } })
}

/// As `fuzz`, for an operator with one upstream: what it does at each event.
func fuzz(
    _ template: String, _ ranges: ClosedRange<Int>..., build: @escaping @Sendable (FuzzOperator.Parts) -> Observable<Int>,
    eachInput react: @escaping @Sendable (Walk, Walk.Input) throws -> Void
) -> Facet {
    .fuzz(
        FuzzOperator(template, ranges, build: build) { walk in
            try walk.subscribe()
            try walk.run { try react(walk, $0) }
        })
}

/// As `fuzz`, for an operator that emits at the completion: what it makes of all elements.
func fuzz(
    _ template: String, _ ranges: ClosedRange<Int>..., build: @escaping @Sendable (FuzzOperator.Parts) -> Observable<Int>,
    collecting result: @escaping @Sendable ([Int]) -> [Int]
) -> Facet {
    .fuzz(FuzzOperator(template, ranges, build: build) { walk in try walk.collecting(result) })
}

/// The rows of the benchmarks that the page of the operator shows, by their names.
func measured(in names: String...) -> Facet {
    .benchmarks(names)
}

/// What the operator does not have, and where it is tested instead.
func without(_ kinds: Facet.Kind..., because reason: String) -> Facet {
    .without(kinds, because: reason)
}

/// Lists facets one after the other, each type-checked by itself.
@resultBuilder
enum FacetBuilder {
    static func buildBlock(_ facets: Facet...) -> [Facet] { facets }
}
