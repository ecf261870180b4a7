import Streams
import StreamsInspector
import Testing

@testable import top_level

@Suite("The inspector in a test of a user", .enabled(if: Inspector.isAvailable))
struct InspectedFormsTests {
    @Test func `It sees chains of the test and of the program that is linked with it`() throws {
        try Inspector.start()
        defer { Inspector.stop() }
        let numbers = PublishSubject<Int>()
        let (line, test) = (#line, numbers.map { $0 + 1 }.subscribe { _ in })
        let program = evenNumbers(numbers).subscribe { _ in }
        let chains = Set(Inspector.leaks().map(\.description))
        // Other tests run meanwhile.
        let built: Set = ["map (InspectedFormsTests/InspectedFormsTests.swift:\(line))", "filter (top_level/EvenNumbers.swift:4)"]
        #expect(chains.isSuperset(of: built), "\(chains)")
        for subscription in [test, program] { subscription.dispose() }
    }
}
