import Foundation
import StreamsTesting
import Testing

/// Every name and shape of the operators, used once: what is gone or renamed no longer compiles, what is new must join.
struct Inventory: Sendable {
    struct Entry: Sendable, CustomTestStringConvertible {
        let name: String
        let use: @Sendable () async throws -> Void

        var testDescription: String { name }
    }

    /// Runs a stream for a second of virtual time and lets it go.
    static func entry<Element>(
        _ name: String, _ make: @escaping @Sendable (VirtualTimeScheduler) throws -> Observable<Element>
    ) -> Entry {
        Entry(name: name) {
            let time = VirtualTimeScheduler()
            let subscription = try make(time).subscribe { _ in }
            time.advance(by: .seconds(1))
            subscription.dispose()
        }
    }

    static let numbers = Observable.of(1, 2, 3)
    static let others = Observable.of(10, 20, 30)
    static let words = Observable.of("a", "b")
    static let inner = Observable.of(numbers, others)
    static let failing = Observable<Int>.error(TestError.failed)

    static let all =
        creation + transforming + flattening + pieces + filtering + places + combining + errorHandling + time + sharing + aggregating
        + utility + traits + bridging + vocabulary + nodes
}

@Suite("The inventory of operators", .countsResources)
struct InventoryTests {
    @Test("Every operator is there and runs", arguments: Inventory.all)
    func runs(_ entry: Inventory.Entry) async throws {
        try await entry.use()
    }

    @Test("No name is used twice")
    func unique() {
        let names = Inventory.all.map(\.name)
        #expect(Set(names).count == names.count, "\(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys)")
    }

    @Test("Every public operator of the sources has joined", arguments: Documentation.folders)
    func complete(folder: String) throws {
        let known = Set(Inventory.all.map { $0.name.prefix { $0 != "(" && $0 != " " } })
        for file in try Documentation.files(in: folder) where !file.hasSuffix("RetryPolicy") {
            for line in try Documentation.lines(of: file) {
                guard let match = line.firstMatch(of: /^ {4}(?:@inlinable )?public (?:static )?func `?(\w+)/) else { continue }
                guard !(["asObservable", "makeAsyncIterator", "asPublisher"] + Documentation.ofNodes).contains(String(match.1)) else {
                    continue
                }
                #expect(known.contains(match.1), "\(match.1) of \(file)")
            }
        }
    }
}
