import StreamsTesting

/// One fact that the catalogue knows about an operator.
public enum Facet: Sendable {
    /// The kinds of facts that every operator has, unless it says why it lacks one.
    public enum Kind: String, CaseIterable, Sendable {
        case law, picture, fuzz
    }

    case law(OperatorRow)
    case picture(Picture)
    case fuzz(FuzzOperator)
    case benchmarks([String])
    case without([Kind], because: String)
}

/// A use of the operator over which the laws run. It takes `up.source`, `up.other` and `up.scheduler` as it needs them (virtual time; a
/// delay is one second), and calls `up.user` in each of its closures, with a number for each closure if there are several. A second use
/// states its difference with `as`. A boundary `keeps` this many elements of `up.source` while its consumer is suspended.
func law(
    _ traits: OperatorRow.Traits = [], as use: String = "", keeps bound: Int = 0,
    _ apply: @escaping @Sendable (Upstreams) -> Observable<Probed>
) -> Facet {
    .law(OperatorRow(use, traits, keeps: bound, apply))
}

/// The operator's marble diagram: hot inputs, the output, and the subscriptions of each input, as one text for each input. By default each
/// subscription lasts until the output terminates.
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

/// A use of the operator in the pipelines of the fuzzer: its code, its construction, and its required behavior.
func fuzz(
    _ template: String, _ ranges: ClosedRange<Int>..., build: @escaping @Sendable (FuzzOperator.Parts) -> Observable<Int>,
    reference: @escaping @Sendable (Walk) throws -> Void
) -> Facet {
    .fuzz(FuzzOperator(template, ranges, build: build, reference: reference))
}

/// Like `fuzz`, for an operator that forwards everything.
func fuzz(
    passing template: String, _ ranges: ClosedRange<Int>..., build: @escaping @Sendable (FuzzOperator.Parts) -> Observable<Int>
) -> Facet {
    .fuzz(FuzzOperator(template, ranges, build: build) { walk in try walk.each { walk.next($0) } })
}

/// Like `fuzz`, for an operator that forwards the end of its upstream: its behavior for each element.
func fuzz(
    _ template: String, _ ranges: ClosedRange<Int>..., build: @escaping @Sendable (FuzzOperator.Parts) -> Observable<Int>,
    each react: @escaping @Sendable (Walk, Int) -> Void
) -> Facet {
    .fuzz(FuzzOperator(template, ranges, build: build) { walk in try walk.each { react(walk, $0) } })
}

/// Like `fuzz`, for an operator with one upstream: its behavior for each event.
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

/// Like `fuzz`, for an operator that emits at the completion: its result for all elements.
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

/// The kinds of facts that the operator lacks, and the place where it is tested instead.
func without(_ kinds: Facet.Kind..., because reason: String) -> Facet {
    .without(kinds, because: reason)
}

/// Lists facets one after the other, each type-checked by itself.
@resultBuilder
enum FacetBuilder {
    static func buildBlock(_ facets: Facet...) -> [Facet] { facets }
}
