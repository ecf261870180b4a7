import Foundation
import OperatorCatalogue
import StreamsTesting

/// Writes the book of operators, or says in what it differs from what the operators do.
@main
struct OperatorBook {
    private static let usage = """
        OperatorBook                 writes the pages and pictures of Docs/Operators
        OperatorBook --check         writes nothing; fails if one of them is not what the operators do
        OperatorBook --text [NAME]   prints the marble diagrams of all operators, or of those whose name contains NAME
        OperatorBook --costs FILE    takes the figures of a report of StreamsBenchmarks --json
        OperatorBook --count         counts the allocations of all operators anew, and writes the pages
        OperatorBook --check-counts  writes nothing; fails if an operator allocates more than the pages say (both in release)
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch let error as BookError {
            fail(error.message)
        } catch {
            fail("\(error)")
        }
    }

    private static func run(_ arguments: [String]) throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        switch (arguments.first, arguments.dropFirst().first) {
        case (nil, _): try Book(root: root).write()
        case ("--check", nil): try check(Book(root: root))
        case ("--text", let name): try TextDiagrams.print(name ?? "")
        case ("--costs", let file?): try Costs(in: root).take(report: file)
        case ("--count", nil):
            try Costs(in: root).take(.counted())
            try Book(root: root).write()
        case ("--check-counts", nil): try check(.counted(), against: Costs(in: root).allocations)
        default: throw BookError(message: "what is meant by \(arguments.joined(separator: " "))?\n\(usage)")
        }
    }

    private static func check(_ book: Book) throws {
        let differences = try book.differences()
        guard differences.isEmpty else {
            let list = differences.prefix(20).map { "Docs/Operators/\($0)" }.joined(separator: "\n")
            throw BookError(
                message: """
                    \(list)
                    \(differences.count) files are not what the operators and their documentation say: if that is meant, run
                    `Tests/Tools/run OperatorBook` and commit Docs/Operators with the change.
                    """)
        }
        print(book.summary)
    }

    private static func check(_ now: AllocationCounts, against stored: AllocationCounts) throws {
        let complaints = now.violations(names: AllocationCounts.names) + now.regressions(from: stored)
        guard complaints.isEmpty else {
            throw BookError(
                message: """
                    \(complaints.joined(separator: "\n"))
                    If that is meant, run `Tests/Tools/run OperatorBook --count` and commit Docs/Operators with the change.
                    """)
        }
        print("\(now.operators.count) operators allocate what the pages say, or less")
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("OperatorBook: \(message)\n".utf8))
        exit(1)
    }
}

/// The marble diagrams as text, each with the catalogue's where that differs.
enum TextDiagrams {
    static func print(_ name: String) throws {
        for picture in Operator.all.flatMap(\.pictures) where name.isEmpty || picture.name.contains(name) {
            let run = try picture.run()
            var printer = Marble.Printer(values: picture.legend)
            let result = printer.draw(run.observer.events)
            Swift.print(picture.name)
            for (input, subscriptions) in zip(picture.inputs, run.subscriptions) { Swift.print("   \(input)\n   \(subscriptions)") }
            Swift.print("=> \(result)")
            for line in printer.legend { Swift.print("      \(line)") }
            if result != picture.result { Swift.print("   the catalogue has \(picture.result)") }
            Swift.print()
        }
    }
}
