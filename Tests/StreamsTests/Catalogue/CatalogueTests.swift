import Foundation
import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("The catalogue of operators", .onOneThread, .countsResources)
struct CatalogueTests {
    /// The public functions of streams that are no operators, and why.
    private static let noOperators = [
        "asObservable": "changes the type only", "asInnerObservable": "changes the type only: ContextFlatteningTests",
        "bind": "ends a chain: BinderTests", "subscribe": "ends a chain: SubscriptionTests",
        "subscribeOnMain": "ends a chain: BinderTests", "asContext": "crosses over to contexts: ContextBridgeTests",
        "asMulticastContext": "crosses over to contexts: ContextBridgeTests",
        "through(_:to:)": "concatMap(_:) with a step of a request: StepFormsTests",
    ]

    @Test func `Every public operator is in the catalogue, under its full name`() throws {
        let missing = try Documentation.publicNames().subtracting(Operator.all.flatMap(\.names))
        let excused = missing.filter { name in Self.noOperators[name] != nil || Self.noOperators[String(name.prefix { $0 != "(" })] != nil }
        #expect(missing.subtracting(excused).sorted() == [])
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

    @Test(arguments: Operator.all)
    func `A difference from another library is one of a name that the operator has there`(_ entry: Operator) {
        #expect(entry.elsewhere.misnamed == [])
    }
}
