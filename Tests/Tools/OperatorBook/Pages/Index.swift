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
        `Tests/Tools/run OperatorBook` writes this folder from the catalogue of operators and the documentation comments, and `.ci/run` fails
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
        let libraries: [(title: String, name: KeyPath<Names, String?>)] = [
            ("RxSwift", \.rxSwift), ("Combine", \.combine), ("RxJava", \.rxJava), ("RxJS", \.rxJS), ("Kotlin Flow", \.flow),
        ]
        let head = """
            # Names elsewhere

            What an operator of another library is called here. What is different beside the name is on its page, and for some
            libraries in [Coming from RxSwift](../ComingFromRxSwift.md) and [Coming from Combine](../ComingFromCombine.md).
            """
        return ([head] + libraries.map { table($0.title, $0.name) }).joined(separator: "\n\n") + "\n"
    }

    private func table(_ title: String, _ name: KeyPath<Names, String?>) -> String {
        var rows: [String: [String]] = [:]
        for page in chapters.flatMap(\.pages) {
            for known in Self.split(page.entry.elsewhere[keyPath: name] ?? "") {
                rows[known, default: []].append("[`\(page.shortName)`](\(page.path))")
            }
        }
        let lines = rows.sorted { ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key) }
            .map { "| `\($0.key)` | \($0.value.uniqued().joined(separator: ", ")) |" }
        return (["## \(title)", "", "| there | here |", "|---|---|"] + lines).joined(separator: "\n")
    }

    /// At the commas outside of parentheses.
    private static func split(_ names: String) -> [String] {
        var depth = 0
        var parts = [""]
        for character in names {
            if "({".contains(character) { depth += 1 }
            if ")}".contains(character) { depth -= 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
