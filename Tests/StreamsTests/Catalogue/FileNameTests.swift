import Foundation
import StreamsTesting
import Testing

/// The rule of `Docs/Contributing.md` about the names of files, over all of `Sources`.
@Suite("The names of files", .onOneThread)
struct FileNameTests {
    @Test func `A file that declares one type is named after it and the types around it`() throws {
        var count = 0
        for (path, text) in try Documentation.sources(in: "Sources") {
            let declarations = Declarations(text)
            guard let type = declarations.only else { continue }
            let name = URL(filePath: path).deletingPathExtension().lastPathComponent
            #expect(name == type.filter { $0 != "." } || declarations.hidden.contains(name), "\(path) declares \(type)")
            count += 1
        }
        #expect(count > 200)
    }

    @Test(arguments: [
        ("public struct A {\n}\nprivate enum B {\n}\nextension A.C {\n}", "A"),
        ("extension A {\n    public final class B {\n    }\n}", "A.B"),
        ("@frozen public enum A {\n    struct B {\n    }\n}", "A"), ("struct A {\n}\nstruct B {\n}", nil),
        ("struct A {\n}\nextension String {\n}", nil), ("struct A {\n}\nlet a = 1", nil), ("struct A {\n}\nprivate let a = 1", "A"),
        ("let text = \"\"\"\nstruct A {\n\"\"\"", nil), ("extension A {\n    var a: Int { 1 }\n}", nil),
    ])
    func `The one type of a file is found`(text: String, type: String?) {
        #expect(Declarations(text).only == type)
    }
}

/// The declarations of a file at its top level, and in the extensions there.
private struct Declarations {
    /// The types by their full names, without those that only the file sees.
    private var types: Set<String> = []
    /// The types that only the file sees.
    private(set) var hidden: Set<String> = []
    private var extended: Set<String> = []
    private var hasFunctions = false

    /// The one type that the file declares; `nil` if it has others, functions, or extensions of others.
    var only: String? {
        guard types.count == 1, let type = types.first, !hasFunctions else { return nil }
        let outer = type.split(separator: ".").dropLast().joined(separator: ".")
        return extended.allSatisfy { $0 == type || $0 == outer || $0.hasPrefix("\(type).") } ? type : nil
    }

    init(_ text: String) {
        var outer: String?
        // A literal of several lines declares nothing.
        let code = text.split(separator: "\"\"\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset.isMultiple(of: 2) }
        for line in code.flatMap({ $0.element.split(separator: "\n") }) {
            let indentation = line.prefix { $0 == " " }.count
            guard indentation == 0 || indentation == 4 && outer != nil else { continue }
            guard let (kind, name, isHidden) = Self.declaration(line.dropFirst(indentation)) else { continue }
            if indentation == 0 { outer = kind == "extension" ? name : nil }
            switch (kind, indentation) {
            case ("extension", _): extended.insert(name)
            case ("func", 0), ("let", 0), ("var", 0): hasFunctions = hasFunctions || !isHidden
            case ("func", _), ("let", _), ("var", _): break
            default:
                let type = indentation == 0 ? name : "\(outer ?? "").\(name)"
                if isHidden { hidden.insert(type) } else { types.insert(type) }
            }
        }
    }

    private static let kinds: Set<Substring> = [
        "actor", "class", "enum", "extension", "func", "let", "protocol", "struct", "typealias", "var",
    ]
    private static let modifiers: Set<Substring> = ["final", "indirect", "internal", "nonisolated", "open", "package", "public", "static"]

    private static func declaration(_ line: Substring) -> (kind: Substring, name: String, isHidden: Bool)? {
        var words = line.split(separator: " ")[...]
        var isHidden = false
        while let word = words.popFirst() {
            if kinds.contains(word) {
                let name = words.first?.prefix { $0.isLetter || $0.isNumber || $0 == "." } ?? ""
                return name == "CodingKeys" ? nil : (word, String(name), isHidden)
            }
            let isOwn = ["private", "fileprivate"].contains(word)
            guard isOwn || word.hasPrefix("@") || modifiers.contains(word) else { return nil }
            isHidden = isHidden || isOwn
        }
        return nil
    }
}
