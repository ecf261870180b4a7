import OperatorCatalogue

/// The first page of the book: what one wants, by chapter, and the types.
struct Index {
    static let path = "README.md"
    let chapters: [Chapter]
    let types: [TypePage]
    let links: Links
    let allocations: Allocations

    var text: String {
        let contents = chapters.map { "[\(Chapter.title(of: $0.name))](#\(Chapter.anchor(of: $0.name)))" }.joined(separator: " · ")
        let parts =
            [Self.introduction, "\(contents) · [Types of streams](#types-of-streams)"] + chapters.map(table)
            + [typeTable, allocations.explanation]
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # The operators

        A page for each operator: what it is for, its marble diagram, its example, and what it decides.

        The diagrams are drawn by running the operators under virtual time, and the tables of what an operator does at the end of an upstream come from such runs too:
        `Tests/Tools/run OperatorBook` writes this folder from the catalogue of operators and the documentation comments, and `.ci/long` fails
        when a file here is not what that command writes.

        If you know an operator by its name in another library, look it up in [Names elsewhere](Names.md).

        ## How to read a diagram

        Time runs from left to right; one column is a second. A marble is an element, a bar a completion, a cross an error. Marbles
        below each other are emitted at the same time, from top to bottom. Equal elements have the same color. The green line below a source is a
        subscription to it: it begins at the ring and is disposed at the bar. Between box and output stand the streams that the
        operator was given by its closure, from subscription to disposal.

        The table on a page says what the operator did in runs in which upstream emitted three elements and ended after eight seconds, where there
        is another stream it emitted two and ended after twenty, and streams made by closures completed at once.
        """

    private func table(_ chapter: Chapter) -> String {
        let rows = chapter.pages.map { page in
            let question = page.entry.question?.capitalizedFirst ?? links.resolved(page.summary, from: nil)
            return "| \(question) | [`\(page.shortName)`](\(page.path)) |"
        }
        let head = ["## \(Chapter.title(of: chapter.name))", "", "| what you want | operator |", "|---|---|"]
        return (head + rows).joined(separator: "\n")
    }

    private var typeTable: String {
        let rows = types.map { "| [`\($0.name)`](\(TypePage.folder)/\($0.name).md) | \(links.resolved($0.summary, from: nil)) |" }
        return (["## Types of streams", "", "| type | what it is |", "|---|---|"] + rows).joined(separator: "\n")
    }
}

/// The operators by their names in other libraries.
struct NamesPage {
    static let path = "Names.md"
    let chapters: [Chapter]

    var text: String {
        let head = """
            # Names elsewhere

            What an operator of another library is called here, and what it does otherwise there. Names that several operators have are forms with
            other arguments. More about three libraries is in [Coming from RxSwift](../ComingFromRxSwift.md), [Coming from
            Combine](../ComingFromCombine.md) and [Coming from swift-async-algorithms](../ComingFromAsyncAlgorithms.md).
            """
        return ([head] + Names.Library.allCases.map(table)).joined(separator: "\n\n") + "\n"
    }

    private func table(_ library: Names.Library) -> String {
        var rows: [String: (links: [String], differences: [String])] = [:]
        for page in chapters.flatMap(\.pages) {
            for (name, difference) in page.entry.elsewhere.names(in: library) {
                rows[name, default: ([], [])].links.append("[`\(page.shortName)`](\(page.path))")
                if let difference { rows[name]?.differences.append(difference) }
            }
        }
        let lines = rows.sorted { ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key) }.map { name, row in
            "| `\(name)` | \(row.links.uniqued().joined(separator: ", ")) | \(row.differences.uniqued().joined(separator: "; ")) |"
        }
        return (["## \(library.rawValue)", "", "| there | here | difference |", "|---|---|---|"] + lines).joined(separator: "\n")
    }
}

extension StringProtocol {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
