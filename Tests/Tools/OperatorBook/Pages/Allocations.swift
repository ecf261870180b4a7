import OperatorCatalogue

/// The allocations of operators: the row on the page of each, and how they are counted.
struct Allocations {
    /// The heading of the explanation in the index.
    static let anchor = "how-allocations-are-counted"
    let counts: AllocationCounts

    static func row(_ count: AllocationCount) -> String {
        let emitted = count.emitted == 0 ? "" : count.emitted == 1 ? ", an element included" : ", \(count.emitted) elements included"
        let code = count.code.map { "`\($0.replacing("|", with: "\\|"))`" } ?? "its first use in the laws"
        let element = count.element.map(Costs.text) ?? "–"
        return """
            | allocations of | building | a subscription | its live bytes | an element |
            |---|---|---|---|---|
            | \(code) | \(count.building) | \(count.subscribing)\(emitted) | \(count.bytes) | \(element) |
            """
    }

    var explanation: String {
        """
        ## How allocations are counted

        `Tests/Tools/run OperatorBook --count` counts in a release build, and `.ci/long` fails when an operator allocates more. Unlike times, these
        figures are the same on every machine with the same compiler.

        The code is the first pipeline of the operator in the [fuzzer](../../Tests/Tools/StreamsFuzzer/README.md), with its further operators. The
        streams that it names are `PublishSubject`s, and streams made by closures are `just`.

        - *Building* is the call of the operators, their closures included.
        - *A subscription* is `subscribe(onNext:)` on the result. It includes that of the subject, which without an operator is
          \(counts.baseline.subscribing) allocations and \(counts.baseline.bytes) bytes.
        - *Live bytes* are what it then holds, as the allocator rounds them.
        - *An element* is one that an upstream emits, or one that arrives if there is no upstream, over a thousand seconds of virtual time in which
          each upstream emits one a second. A – means that the stream has ended by then, or emits everything when it is subscribed to.

        An operator without a pipeline shows its first use in the [laws](../Architecture.md#the-laws). The elements of these are objects, for which
        a closure may allocate. Operators that wait for other threads are not counted. \(subjects)
        """
    }

    private var subjects: String {
        let allocating = counts.subjects.filter { $0.value != 0 }.sorted { $0.key < $1.key }
        let listed = allocating.map { "`\($0.key)` allocates \(Costs.text($0.value))" }.joined(separator: ", ")
        guard !listed.isEmpty else { return "No subject with one observer allocates for an element." }
        return "For an element, a subject with one observer: \(listed)."
    }
}
