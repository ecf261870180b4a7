import OperatorCatalogue

/// The page with the allocations of all operators.
struct AllocationTable {
    static let path = "Allocations.md"
    let chapters: [Chapter]
    let counts: AllocationCounts

    var text: String {
        ([introduction, subjects] + chapters.compactMap(table)).joined(separator: "\n\n") + "\n"
    }

    /// The first two lines of a table of allocations.
    static func head(first: String) -> String {
        "| \(first) | building | a subscription | its live bytes | an element |\n|---|---|---|---|---|"
    }

    static func cells(_ count: AllocationCount) -> String {
        let emitted = count.emitted == 0 ? "" : count.emitted == 1 ? ", an element included" : ", \(count.emitted) elements included"
        let subscription = "\(count.subscribing)" + emitted
        return ["\(count.building)", subscription, "\(count.bytes)", count.element.map(Costs.text) ?? "–"].joined(separator: " | ")
    }

    /// For a cell of a table.
    static func escaped(_ code: String) -> String { code.replacing("|", with: "\\|") }

    private var introduction: String {
        """
        # Allocations

        What operators allocate, counted in a release build by `Tests/Tools/run OperatorBook --count`; `.ci/run` fails when one allocates more.
        Unlike times, these figures are the same on every machine with the same compiler.

        The code is the first pipeline of the operator in the [fuzzer](../../Tests/Tools/StreamsFuzzer/README.md), with the further operators that it has; the streams named there are `PublishSubject`s,
        and streams made by closures are `just`. *Building* is the call of the operators, their closures included. *A subscription* is `subscribe(onNext:)` on the result, which
        the subject's own is part of: without an operator, \(counts.baseline.subscribing) allocations and \(counts.baseline.bytes) bytes. *Live bytes* are what it then holds, as the allocator rounds them.
        *An element* is one that an upstream emits, or where there is no upstream one that arrives, over a thousand seconds of virtual time in which each upstream emits one a second;
        – stands where the stream has ended by then, or emits everything when it is subscribed to. An operator without a pipeline shows its first use in the [laws](../Architecture.md#the-laws),
        whose elements are objects made by the test: there a closure may add an allocation of its own. Operators that wait for other threads are not counted.
        """
    }

    private var subjects: String {
        let lines = counts.subjects.sorted { $0.key < $1.key }.map { "| `\($0.key)` | \(Costs.text($0.value)) |" }
        return (["## Subjects", "", "| subject with one observer | an element |", "|---|---|"] + lines).joined(separator: "\n")
    }

    private func table(_ chapter: Chapter) -> String? {
        let lines = chapter.pages.compactMap { page -> String? in
            guard let count = counts.operators[page.entry.description] else { return nil }
            return "| [`\(page.shortName)`](\(page.path)) | \(Self.cells(count)) |"
        }
        guard !lines.isEmpty else { return nil }
        return (["## \(Chapter.title(of: chapter.name))", "", Self.head(first: "operator")] + lines).joined(separator: "\n")
    }
}
