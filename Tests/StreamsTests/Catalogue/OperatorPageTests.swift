import Foundation
import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("The pages of the operators", .onOneThread)
struct OperatorPageTests {
    /// The pages with their entries; what only the package sees has none.
    private static func pages() throws -> [(entry: Operator, text: String)] {
        try Operator.all.flatMap { entry in
            let folder = Documentation.root.appending(path: "Docs/Operators/\(entry.chapter)")
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
                .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
                .filter { $0.hasPrefix("# \(entry.names[0])\n") && $0.contains("[\(entry.file).swift]") }.map { (entry, $0) }
        }
    }

    @Test func `Only of an operator that stays connected a page says that upstream stays subscribed to`() throws {
        let pages = try Self.pages()
        #expect(pages.count > 100)
        for (entry, text) in pages {
            let staysConnected = entry.laws.first?.traits.contains(.staysConnected) ?? false
            #expect(text.contains("stays subscribed to") == staysConnected, "\(entry)")
        }
    }

    @Test(arguments: ["skip(until:)", "amb(_:)", "sequenceEqual(_:)"])
    func `The page of an operator that leaves the other stream says what an earlier error of that does`(_ name: String) throws {
        let page = try #require(try Self.pages().first { $0.entry.names[0] == name })
        let reaction = "fails with that error, and disposes the other upstream"
        #expect(page.text.contains("| the other stream fails before its first element | \(reaction) |"))
    }

    @Test func `The page of a sampler at an interval says that it completes at the next of its times`() throws {
        let page = try #require(try Self.pages().first { $0.entry.names[0] == "sample(_:scheduler:)" })
        #expect(page.text.contains("| upstream completes | completes later |"))
    }

    @Test func `A page shows the benchmarks that its operator names, and no others`() throws {
        let names = Set(Operator.all.flatMap(\.benchmarks))
        #expect(!names.isEmpty)
        for (entry, text) in try Self.pages() {
            #expect(names.filter { text.contains("\n| \($0) |") } == Set(entry.benchmarks), "\(entry)")
        }
    }
}
