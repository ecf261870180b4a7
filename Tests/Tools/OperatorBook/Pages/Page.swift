import Foundation
import OperatorCatalogue

/// The page of one operator, and its pictures.
struct Page {
    let entry: Operator
    /// Without a suffix.
    let file: String
    let summary: String
    private let declarations: [SourceFile.Declaration]
    private let source: SourceFile
    private let sources: Sources

    /// Nil for what only the package sees.
    init?(_ entry: Operator, file: String, _ sources: Sources) throws {
        (self.entry, self.file, self.sources) = (entry, file, sources)
        source = try sources.file(of: entry)
        declarations = source.declarations(of: entry.names).filter { !$0.comment.summary.isEmpty }
        if declarations.isEmpty, source.isForPackage(entry.names[0]) { return nil }
        guard let first = declarations.first else { throw BookError(message: "\(entry.file) does not document \(entry.names[0])") }
        summary = first.comment.summary
    }

    /// Its name, without the labels where those are many.
    var shortName: String {
        let name = entry.names[0]
        return name.count > 60 ? "\(name.prefix { $0 != "(" })(...)" : name
    }

    /// From the folder of the book.
    var path: String { "\(entry.chapter)/\(file).md" }

    /// The files of the page by their paths: itself, and a picture for each of the catalogue's.
    func files(linking links: Links) throws -> [String: String] {
        var files: [String: String] = [:]
        var figures: [String] = []
        for (index, picture) in entry.pictures.enumerated() {
            let name = index == 0 ? file : "\(file)-picture-\(index + 1)"
            let run = try picture.run(secondSubscriberAt: entry.chapter == "Sharing" ? Diagram.secondSubscription : nil)
            let diagram = try diagram(picture, run)
            let letters = Dictionary(picture.legend.map { ($0.value, $0.key) }) { first, _ in first }
            files["\(entry.chapter)/\(name).svg"] = Drawing.svg(diagram, letters: letters)
            figures.append("![Marble diagram of `\(picture.name)`](\(name).svg)")
        }
        files[path] = try text(figures, links)
        return files
    }

    /// With the code that was run, under the names that the example of the documentation gives to the streams.
    private func diagram(_ picture: Picture, _ run: Picture.Run) throws -> Diagram {
        let all = declarations + source.declarations
        let shown = all.first { declaration in picture.lines.allSatisfy { declaration.comment.label(of: $0) != nil } }
        let labels = picture.inputs.map { shown?.comment.label(of: $0) ?? "" }
        let written = try PictureCode(of: picture, in: sources.root, labels: labels)
        let code = CodeLines(written.lines).lines
        let isShort = code.count <= 5 && code.allSatisfy { $0.count <= CodeLines.longest }
        return Diagram(picture, of: run, code: isShort ? code : [entry.names[0]], labels: written.labels)
    }

    private func text(_ figures: [String], _ links: Links) throws -> String {
        let first = declarations[0]
        var parts = ["# \(shortName)"]
        if let question = entry.question { parts.append("> \(question.capitalizedFirst).") }
        parts.append(links.resolved(summary, from: entry.chapter))
        parts += figures
        if let reason = entry.exceptions[.picture] { parts.append("No picture: \(links.resolved(reason, from: entry.chapter)).") }
        parts.append("```swift\n\(first.lines.joined(separator: "\n"))\n```")
        if let example = declarations.first(where: { !$0.comment.example.isEmpty })?.comment.example {
            parts.append("## Example\n\n```swift\n\(example.joined(separator: "\n"))\n```")
        }
        parts += [try decisions(first, links), forms(links), elsewhere(), tested()].compactMap { $0 }
        if let origin = declarations.lazy.compactMap(\.comment.source).first { parts.append("Source: \(origin).") }
        let chapter = "[\(Chapter.title(of: entry.chapter))](../README.md#\(Chapter.anchor(of: entry.chapter)))"
        parts.append("[\(entry.file).swift](../../../\(source.path)) · \(chapter) · [All operators](../README.md)")
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func decisions(_ first: SourceFile.Declaration, _ links: Links) throws -> String? {
        var parts = ["## Decisions"]
        let discussion = declarations.first { !$0.comment.discussion.isEmpty && !$0.comment.example.isEmpty } ?? first
        parts += discussion.comment.discussion.map { links.resolved($0, from: entry.chapter) }
        if let behaviour = Behaviour(of: entry, closuresThrow: declarations.contains { $0.signature.contains("throws ->") }) {
            let rows = behaviour.rows.map { "| \($0.event) | \($0.reaction) |" }
            parts.append((["| when | it does |", "|---|---|"] + rows).joined(separator: "\n"))
        }
        let buffers = sources.buffers.rows(for: entry.names).map { row in
            "Buffer: \(row.bound)." + (row.overflow.isEmpty ? "" : " At the bound: \(row.overflow).")
                + " See [Buffers](../../Backpressure.md#where-elements-are-buffered)."
        }
        parts += buffers.uniqued()
        parts += [flow(), allocations(), try cost()].compactMap { $0 }
        return parts.count > 1 ? parts.joined(separator: "\n\n") : nil
    }

    /// Nil where the laws do not run over the operator.
    private func flow() -> String? {
        let flows = Set(entry.laws.map(\.flow))
        guard !flows.isEmpty else { return nil }
        let kept = flows.compactMap { flow -> Int? in if case .keeps(let bound) = flow { bound } else { nil } }.max()
        let reaction =
            if flows.contains(.hot) { "its source is not" } else if let kept { "so is its source, once \(kept) elements wait" } else {
                "so is its source"
            }
        return "While its consumer is suspended, \(reaction). See [Backpressure](../../Backpressure.md)."
    }

    private func cost() throws -> String? {
        let rows = try sources.costs.rows(for: entry)
        guard !rows.isEmpty else { return nil }
        let lines = rows.map { row in
            "| \(row.name) | \(Costs.text(row.floors)) | \(Costs.text(row.minimum)) | \(row.allocations.map(Costs.text) ?? "") |"
        }
        let head = ["| cost of | floors | nanoseconds | allocations |", "|---|---|---|---|"]
        return (head + lines).joined(separator: "\n")
            + "\n\nMeasured \(sources.costs.measured). [Performance](../../Performance.md) explains floors."
    }

    /// Nil where the operator does not run by itself.
    private func allocations() -> String? {
        guard let count = sources.costs.allocations.operators[entry.description] else { return nil }
        return """
            \(Allocations.row(count))

            [How they are counted](../\(Index.path)#\(Allocations.anchor)).
            """
    }

    /// The forms with another name, or other labels.
    private func forms(_ links: Links) -> String? {
        var seen: Set<String> = [entry.names[0]]
        let others = declarations.filter { seen.insert($0.name).inserted }
        guard !others.isEmpty else { return nil }
        let rows = others.map { "- `\($0.name)`: \(links.resolved($0.comment.summary, from: entry.chapter))" }
        return "## Further forms\n\n\(rows.joined(separator: "\n"))"
    }

    private func elsewhere() -> String? {
        let libraries = Names.Library.allCases
        let texts = libraries.map { entry.elsewhere.text(in: $0) }
        guard texts.contains(where: { $0 != nil }) else { return nil }
        let heads = libraries.map(\.rawValue).joined(separator: " | ")
        let row = texts.map { $0.map { "`\($0)`" } ?? "–" }.joined(separator: " | ")
        let differences = libraries.flatMap { library in
            entry.elsewhere.names(in: library).compactMap { name, difference in
                difference.map { "- `\(name)` of \(library.rawValue): \($0)." }
            }
        }
        let table = "## Elsewhere\n\n| \(heads) |\n|\(String(repeating: "---|", count: libraries.count))\n| \(row) |"
        return ([table] + (differences.isEmpty ? [] : [differences.joined(separator: "\n")])).joined(separator: "\n\n")
    }

    private func tested() -> String? {
        let laws = entry.laws.count
        let pipelines = entry.fuzzed.count
        guard laws + pipelines > 0 else { return nil }
        let uses = laws == 0 ? "" : "The [laws](../../Architecture.md#the-laws) run over \(laws == 1 ? "one use" : "\(laws) uses") of it."
        let forms = pipelines == 1 ? "one form" : "\(pipelines) forms"
        let fuzzer = "[fuzzer](../../../Tests/Tools/StreamsFuzzer/README.md)"
        let fuzz = pipelines == 0 ? "" : "The \(fuzzer) compares \(forms) of it with a reference in random pipelines."
        return "## Tests\n\n\([uses, fuzz].filter { !$0.isEmpty }.joined(separator: " "))"
    }
}
