import Foundation
import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("The catalogue of operators", .countsResources)
struct CatalogueTests {
    /// The public functions of streams that are no operators, and why.
    private static let noOperators = [
        "asObservable": "changes the type only", "asInnerObservable": "changes the type only: ContextFlatteningTests",
        "bind": "ends a chain: BinderTests", "subscribe": "ends a chain: SubscriptionTests",
        "subscribeOnMain": "ends a chain: BinderTests", "asContext": "crosses over to contexts: ContextBridgeTests",
        "asMulticastContext": "crosses over to contexts: ContextBridgeTests",
    ]

    @Test func `Every public operator is in the catalogue, under its full name`() throws {
        let missing = try Documentation.publicNames().subtracting(Operator.all.flatMap(\.names))
        #expect(missing.filter { name in Self.noOperators[String(name.prefix { $0 != "(" })] == nil }.sorted() == [])
    }

    @Test(arguments: Operator.all) func `Every operator of the catalogue is in its file`(_ entry: Operator) throws {
        let text = try Documentation.lines(of: entry.file).joined(separator: "\n")
        for name in entry.names.map({ $0.prefix { $0 != "(" } }) {
            #expect(text.contains(" func \(name)") || text.contains(" func `\(name)`") || text.contains(" var \(name):"), "\(name)")
        }
    }

    @Test func `No operator is in the catalogue twice`() {
        let names = Operator.all.flatMap { entry in entry.names.map { "\(entry.file): \($0)" } }
        #expect(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted() == [])
    }

    @Test(arguments: Operator.all) func `Every operator has a law, a picture and a fuzz reference, or says why not`(_ entry: Operator) {
        for kind in Facet.Kind.allCases {
            #expect(entry.kinds.contains(kind) || entry.exceptions[kind] != nil, "\(entry) has no \(kind)")
            #expect(!entry.kinds.contains(kind) || entry.exceptions[kind] == nil, "\(entry) has a \(kind), and a reason why not")
        }
    }

    @Test func `No two uses of operators have the same name`() {
        let names = operatorTable.map(\.name) + Operator.all.flatMap(\.fuzzed).map(\.template)
        #expect(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted() == [])
    }
}

@Suite("The pages of the operators")
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

    @Test func `A page shows the benchmarks that its operator names, and no others`() throws {
        let names = Set(Operator.all.flatMap(\.benchmarks))
        #expect(!names.isEmpty)
        for (entry, text) in try Self.pages() {
            #expect(names.filter { text.contains("\n| \($0) |") } == Set(entry.benchmarks), "\(entry)")
        }
    }
}

@Suite("The pictures of the documentation", .countsResources)
struct PictureTests {
    @Test(arguments: Operator.all.flatMap(\.pictures)) func `Every operator behaves as its marble diagram`(_ picture: Picture) throws {
        let run = try picture.run()
        run.observer.expect(picture.result, values: picture.legend, error: picture.error)
        if let subscriptions = picture.subscriptions { #expect(run.subscriptions == subscriptions) }
    }

    @Test(arguments: Operator.all) func `The documentation contains the marble diagram`(_ entry: Operator) throws {
        let comments = try Documentation.lines(of: entry.file).compactMap(Documentation.comment)
        for line in entry.pictures.flatMap(\.lines) {
            let isShown = comments.contains { comment in
                comment.hasPrefix("// ") && (comment.hasSuffix(" \(line)") || comment.contains(" \(line)   "))
            }
            #expect(isShown, "\(entry.file).swift does not show \(line)")
        }
    }
}
