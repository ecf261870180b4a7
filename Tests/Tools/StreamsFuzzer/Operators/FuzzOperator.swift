import StreamsTesting

/// One operator, or one use of it, in the three forms that the fuzzer needs: as code, as the library builds it, and as the reference
/// says what it must do.
struct FuzzOperator: Sendable {
    /// What `build` applies the operator to.
    struct Parts: Sendable {
        let upstreams: [Observable<Int>]
        let numbers: [Int]
        let element: Int
        let body: @Sendable (Int) -> Observable<Int>
        let sources: [Observable<Int>]
        let scheduler: TestScheduler
        /// Writes down what the closures of `do` see.
        let note: @Sendable (Signal) -> Void

        /// The first upstream.
        var up: Observable<Int> { upstreams[0] }
        var other: Observable<Int> { upstreams[1] }
        /// The first number, and the first as a time.
        var number: Int { numbers[0] }
        var time: Duration { .seconds(numbers[0]) }
    }

    /// The code: `%0` is the first upstream, `#0` the first number, `^` the element that the pipeline stands in
    /// the body of, and `@` the body that is made of each element `x`.
    let template: String
    /// What the numbers may be.
    let ranges: [ClosedRange<Int>]
    let build: @Sendable (Parts) -> Observable<Int>
    let reference: @Sendable (Walk) throws -> Void
    let upstreams: Int
    let hasBody: Bool

    init(
        _ template: String, _ ranges: ClosedRange<Int>..., build: @escaping @Sendable (Parts) -> Observable<Int>,
        reference: @escaping @Sendable (Walk) throws -> Void
    ) {
        self.template = template
        self.ranges = ranges
        self.build = build
        self.reference = reference
        upstreams = (0..<9).filter { template.contains("%\($0)") }.count
        hasBody = template.contains("@")
    }
}

/// Lists operators one after the other, each type-checked by itself.
@resultBuilder
enum ChapterBuilder {
    static func buildBlock(_ operators: FuzzOperator...) -> [FuzzOperator] { operators }
}

func chapter(@ChapterBuilder _ build: () -> [FuzzOperator]) -> [FuzzOperator] {
    build()
}

/// Every operator of the fuzzer. To join it is to add an entry to a chapter. The first two are what a pipeline begins with.
let catalogue =
    leaves + creationChapter + transformingChapter + filteringChapter + flatteningChapter + combiningChapter
    + errorChapter + timingChapter + aggregatingChapter + utilityChapter
    + pairingChapter + piecesChapter + sharingChapter + furtherChapter

/// A source of the case, and the element that the body was made of.
let sourceKind = 0
let elementKind = 1
/// What a shrunk pipeline may begin with instead.
let emptyKind = 2
let neverKind = 3

private let leaves = chapter {
    FuzzOperator("source#0.asObservable()", 0...0) { parts in
        parts.sources[parts.number]
    } reference: { _ in
    }
    FuzzOperator("Observable.just(^)") { parts in
        .just(parts.element)
    } reference: { walk in
        walk.next(walk.element)
        walk.completed()
    }
}
