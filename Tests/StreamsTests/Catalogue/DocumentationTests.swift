import Foundation
import StreamsTesting
import Testing

/// The public operators and their documentation comments in the package's sources.
enum Documentation {
    /// The chapters of the operators, and the nodes.
    static let folders = {
        let operators = root.appending(path: "Sources/Streams/Operators").path
        return ((try? FileManager.default.contentsOfDirectory(atPath: operators)) ?? []).sorted() + ["Nodes"]
    }()

    /// The parts of nodes, their logs and policies that are no operators.
    private static let besideOperators = [
        "stream", "process", "abort", "note", "notingFailure", "asObservable", "makeAsyncIterator",
        "forceOpen", "reset", "remove", "removeAll", "fixed", "percentile", "failures", "consecutiveFailures", "failureRate",
    ]

    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// The public functions of streams, by their full names; repeated `_:` are written once.
    static func publicNames() throws -> Set<String> {
        let list = try text("Docs/API/Streams.txt")
        let names = list.matches(of: /(?m)^(?:Observable|ObservableType|ObservableConvertibleType|ConnectableObservable)\.([a-z][^\t\n]*)/)
        return Set(names.map { String($0.1.replacing(/(?:_:)+/, with: "_:")) })
    }

    /// A file of the package, by its path.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The Swift files below a folder of the package, by their paths, without those that a build made.
    static func sources(in folder: String) throws -> [(path: String, text: String)] {
        let files = try #require(FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil))
        let paths = files.compactMap { ($0 as? URL)?.path.dropFirst(root.path.count + 1) }.map(String.init)
        return try paths.filter { $0.hasSuffix(".swift") && !$0.contains("/.build/") }.map { ($0, try text($0)) }
    }

    /// The lines of a file, named by folder and name.
    static func lines(of file: String) throws -> [Substring] {
        try String(contentsOf: place(file + ".swift"), encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
    }

    /// The files of a folder, named as `lines(of:)` takes them.
    static func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place(folder).path).sorted()
            .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0.dropLast(".swift".count))" }
    }

    /// Where a chapter, or a file of one, is.
    private static func place(_ path: String) -> URL {
        let isOperators = !["Nodes", "Traits"].contains { path.hasPrefix($0) }
        return root.appending(path: "Sources/Streams/\(isOperators ? "Operators/" : "")\(path)")
    }

    /// The text of a line as a documentation comment; nil if it is none.
    static func comment(_ line: Substring) -> String? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { return nil }
        return String(text.dropFirst(3).drop { $0 == " " })
    }

    /// Whether a declaration has to show a marble line and an example.
    static func isOperator(_ declaration: Substring) -> Bool {
        guard declaration.contains("public ") else { return false }
        guard declaration.contains(" func ") || declaration.hasPrefix("@inlinable public var") else { return false }
        return !besideOperators.contains { declaration.contains("func \($0)(") || declaration.contains("func \($0)<") }
    }
}

@Suite("The documentation of the operators", .onOneThread)
struct DocumentationTests {
    @Test(arguments: Documentation.folders)
    func `Every operator has an example, a marble line and a source, or refers to the form that has`(folder: String) throws {
        for file in try Documentation.files(in: folder) {
            var comment: [String] = []
            for line in try Documentation.lines(of: file) {
                if let text = Documentation.comment(line) {
                    comment.append(text)
                    continue
                }
                let code = line.drop { $0 == " " }
                if code.hasPrefix("@"), !code.contains(" public ") { continue }
                let isMember = line.hasPrefix("    ") && !line.hasPrefix("     ")
                if isMember, Documentation.isOperator(code), !file.hasSuffix("RetryPolicy") { check(comment, of: "\(file): \(code)") }
                comment = []
            }
        }
    }

    private func check(_ comment: [String], of declaration: String) {
        let text = comment.joined(separator: "\n")
        if text.contains("``") && !text.contains("```swift") { return }
        #expect(text.contains("```swift"), "\(declaration) has no example")
        #expect(text.contains("Source:"), "\(declaration) has no source")
        #expect(comment.contains { $0.hasPrefix("// ") }, "\(declaration) has no marble line")
    }
}
