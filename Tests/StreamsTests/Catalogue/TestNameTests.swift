import Foundation
import StreamsTesting
import Testing

/// The rule of `Docs/Contributing.md` about the names of tests, over all of them.
@Suite("The names of tests", .onOneThread)
struct TestNameTests {
    /// The code in small letters that no public function is named, and programs.
    private static let words: Set = ["bash", "fish", "groff", "libcurl", "nil", "outcomes", "pulse", "value", "values", "zsh"]

    @Test func `A test is named by its function, in backticks`() throws {
        var count = 0
        for (path, text) in try tests() {
            for test in Self.pieces(of: text, after: "@Test") {
                #expect(Self.title(test) == nil, "\(path): \(test.prefix(80))")
                #expect(Self.name(test) != nil, "\(path): \(test.prefix(80))")
                count += 1
            }
        }
        #expect(count > 2_000)
    }

    @Test func `A suite has a title`() throws {
        for (path, text) in try tests() {
            let suites = Self.pieces(of: text, after: "@Suite")
            for suite in suites { #expect(Self.title(suite) != nil, "\(path): \(suite.prefix(80))") }
            // An extension belongs to the suite of its type.
            let hasSuite = !suites.isEmpty || text.contains("\nextension ")
            #expect(hasSuite || Self.pieces(of: text, after: "@Test").isEmpty, "\(path) has no suite")
        }
    }

    @Test func `A name begins with a capital letter, or with code as it is written`() throws {
        let functions = try Self.publicFunctions()
        for (path, text) in try tests() {
            let names = Self.pieces(of: text, after: "@Test").compactMap(Self.name)
            for name in names + Self.pieces(of: text, after: "@Suite").compactMap(Self.title) {
                guard name.first?.isLowercase == true else { continue }
                let word = String(name.prefix { !" ,:'".contains($0) })
                let isCode = word.contains { !$0.isLowercase && $0 != "-" } || functions.contains(word) || Self.words.contains(word)
                let isKey = word.count == 1 && word != "a"
                #expect(isCode || isKey, "\(path): \(name)")
            }
        }
    }

    /// The names of the public functions and of the cases with values, without their parameters. Three begin sentences, too.
    private static func publicFunctions() throws -> Set<String> {
        let lists = try FileManager.default.contentsOfDirectory(atPath: Documentation.root.appending(path: "Docs/API").path)
        let lines = try lists.flatMap { try Documentation.text("Docs/API/\($0)").split(separator: "\n") }
        let names = lines.compactMap { line in
            line.prefix { $0 != "\t" }.firstIndex(of: "(").map { line[..<$0].split(separator: ".").last.map(String.init) ?? "" }
        }
        return Set(names).subtracting(["any", "of", "with"])
    }

    /// The text behind each use of an attribute. Its name in a literal is no use.
    private static func pieces(of text: String, after attribute: String) -> [Substring] {
        let pieces = text.split(separator: attribute, omittingEmptySubsequences: false)
        return zip(pieces, pieces.dropFirst()).filter { before, piece in
            let line = before.reversed().prefix { !$0.isNewline }
            return line.allSatisfy { $0 == " " } && piece.first.map { "( \n".contains($0) } == true
        }.map(\.1)
    }

    /// The string that is the first argument of an attribute.
    private static func title(_ piece: Substring) -> String? {
        let argument = piece.first == "(" ? piece.dropFirst().drop(while: \.isWhitespace) : ""
        return argument.first == "\"" ? String(argument.dropFirst().prefix { $0 != "\"" }) : nil
    }

    /// The name in backticks of the function behind an attribute.
    private static func name(_ piece: Substring) -> String? {
        guard let function = piece.firstRange(of: "func ") else { return nil }
        let name = piece[function.upperBound...]
        return name.first == "`" ? String(name.dropFirst().prefix { $0 != "`" }) : nil
    }

    private func tests() throws -> [(path: String, text: String)] {
        let files = try Documentation.sources(in: "Tests")
        #expect(files.count > 500)
        return files.filter { $0.text.contains("@Test") || $0.text.contains("@Suite") }
    }
}
