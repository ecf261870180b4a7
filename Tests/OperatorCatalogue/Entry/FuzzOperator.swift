import StreamsTesting

/// One operator, or one use of it, in the three forms that the fuzzer needs: as code, as the library builds it, and as the reference
/// describes its behavior.
public struct FuzzOperator: Sendable {
    /// The parts to which `build` applies the operator.
    public struct Parts: Sendable {
        public let upstreams: [Observable<Int>]
        public let numbers: [Int]
        public let element: Int
        public let body: @Sendable (Int) -> Observable<Int>
        public let sources: [Observable<Int>]
        public let scheduler: TestScheduler
        /// Records the events that the closures of `do` receive.
        public let note: @Sendable (FuzzEvent) -> Void

        public init(
            upstreams: [Observable<Int>], numbers: [Int], element: Int, body: @escaping @Sendable (Int) -> Observable<Int>,
            sources: [Observable<Int>], scheduler: TestScheduler, note: @escaping @Sendable (FuzzEvent) -> Void
        ) {
            (self.upstreams, self.numbers, self.element, self.body) = (upstreams, numbers, element, body)
            (self.sources, self.scheduler, self.note) = (sources, scheduler, note)
        }

        /// The first upstream.
        var up: Observable<Int> { upstreams[0] }
        var other: Observable<Int> { upstreams[1] }
        /// The first number, and the first as a time.
        var number: Int { numbers[0] }
        var time: Duration { .seconds(numbers[0]) }
    }

    /// The code: `%0` is the first upstream, `#0` the first number, `^` the element for whose body the pipeline is made, and `@` the body
    /// that is made for each element `x`.
    public let template: String
    /// The ranges of the numbers.
    public let ranges: [ClosedRange<Int>]
    public let build: @Sendable (Parts) -> Observable<Int>
    public let reference: @Sendable (Walk) throws -> Void
    public let upstreams: Int
    public let hasBody: Bool

    public init(
        _ template: String, _ ranges: [ClosedRange<Int>], build: @escaping @Sendable (Parts) -> Observable<Int>,
        reference: @escaping @Sendable (Walk) throws -> Void
    ) {
        self.template = template
        self.ranges = ranges
        self.build = build
        self.reference = reference
        upstreams = (0..<9).filter { template.contains("%\($0)") }.count
        hasBody = template.contains("@")
    }

    /// The code as somebody would write it, with these numbers.
    public func code(with numbers: [Int]) -> String {
        var text = template.replacing("^", with: "0").replacing("@", with: ".just(x)")
        for (index, number) in numbers.enumerated() { text = text.replacing("#\(index)", with: "\(number)") }
        for (index, name) in ["numbers", "others", "more"].enumerated() { text = text.replacing("%\(index)", with: name) }
        return text
    }
}
