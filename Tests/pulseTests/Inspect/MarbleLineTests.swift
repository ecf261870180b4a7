import Streams
import StreamsTesting
import Testing

@testable import pulse

@Suite("Marble lines of successive snapshots", .countsResources)
struct MarbleLineTests {
    private func states(_ counts: [(elements: UInt64, errors: Int)?]) -> [Node?] {
        counts.map { count in
            guard let count else { return nil }
            var node = SampleSnapshots.node(1, "retry", line: 1)
            (node.elements, node.errors) = count
            return node
        }
    }

    @Test func `A column is nothing, elements, an error or the end`() {
        let line = MarbleLine(states([(0, 0), (0, 0), (3, 0), (3, 1), (4, 1), nil, nil]))
        #expect(line.text == "-o#o|")
        #expect(line.lastCount == 0)
    }

    @Test func `A subscription that begins between two snapshots begins with its first column`() {
        let line = MarbleLine(states([nil, nil, (2, 0), (9, 0)]))
        #expect(line.text == "oo")
        #expect(line.lastCount == 7)
    }

    @Test func `A counter that decreases is no element`() {
        #expect(MarbleLine(states([(9, 3), (2, 0)])).text == "-")
        #expect(MarbleLine([]).text.isEmpty && MarbleLine(states([(1, 0)])).text.isEmpty)
    }
}
