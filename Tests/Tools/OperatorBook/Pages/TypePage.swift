import Foundation

/// The page of a type of streams: a trait or a subject, with what it has beside the operators of all streams.
struct TypePage {
    static let folder = "Types"
    let name: String
    let summary: String
    private let type: SourceFile.Declaration
    private let members: [SourceFile.Declaration]
    private let path: String

    static func all(in root: URL) throws -> [TypePage] {
        try ["Traits", "Subjects"].flatMap { folder in
            let place = "Sources/Streams/\(folder)"
            let files = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: place).path).sorted()
            return try files.filter { $0.hasSuffix(".swift") }.compactMap { file in
                TypePage(try SourceFile(path: "\(place)/\(file)", in: root), named: String(file.dropLast(6)))
            }
        }
    }

    private init?(_ file: SourceFile, named name: String) {
        guard let type = file.types.first(where: { $0.name == name }), !type.comment.summary.isEmpty else { return nil }
        (self.name, self.type, path, summary) = (name, type, file.path, type.comment.summary)
        members = file.declarations.filter { !$0.comment.summary.isEmpty }
    }

    func files(linking links: Links) -> [String: String] {
        var parts = ["# \(name)", links.resolved(summary, from: Self.folder), "```swift\n\(declaration)\n```"]
        if !type.comment.example.isEmpty {
            parts.append("## Example\n\n```swift\n\(type.comment.example.joined(separator: "\n"))\n```")
        }
        if !type.comment.discussion.isEmpty {
            parts.append("## Decisions")
            parts += type.comment.discussion.map { links.resolved($0, from: Self.folder) }
        }
        if !members.isEmpty {
            let rows = members.map { "| `\($0.name)` | \(links.resolved($0.comment.summary, from: Self.folder)) |" }.uniqued()
            parts.append((["## What it has", "", "| | |", "|---|---|"] + rows).joined(separator: "\n"))
        }
        if let source = type.comment.source { parts.append("Source: \(source).") }
        parts.append("[\(name).swift](../../../\(path)) · [All operators](../README.md)")
        return ["\(Self.folder)/\(name).md": parts.joined(separator: "\n\n") + "\n"]
    }

    private var declaration: String {
        let text = type.signature.hasSuffix("{") ? String(type.signature.dropLast()) : type.signature
        return text.replacing("public ", with: "").trimmingCharacters(in: .whitespaces)
    }
}
