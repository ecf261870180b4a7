import StreamsTesting
import Testing

@Suite("Suspended gates", .countsResources) struct SuspendedGatesTests {
    @Test func `Each resumption begins with another of the gates`() {
        let (first, second, third) = (Gate(), Gate(), Gate())
        var gates = SuspendedGates()
        for gate in [first, second, third] { gates.insert(gate) }
        let expected = [[second, third, first], [third, first, second], [first, second, third]]
        for order in expected {
            gates.suspend()
            #expect(gates.resume().gates.map(ObjectIdentifier.init) == order.map(ObjectIdentifier.init))
        }
        #expect(gates.remove(second) === second)
        #expect(gates.remove(second) == nil)
        gates.suspend()
        #expect(first.isClosed && third.isClosed && !second.isClosed)
    }

    @Test func `A gate that is inserted during a suspension is closed`() {
        var gates = SuspendedGates()
        gates.suspend()
        let gate = Gate()
        gates.insert(gate)
        #expect(gate.isClosed)
        #expect(gates.resume().gates.count == 1)
        #expect(!gate.isClosed)
    }

    @Test(.timeLimit(.minutes(1))) func `A hundred thousand gates leave in any order, each at once`() {
        var gates = SuspendedGates()
        let all = (0..<100_000).map { _ in Gate() }
        for gate in all { gates.insert(gate) }
        var generator = SeededGenerator(seed: 1)
        let removed = all.shuffled(using: &generator).dropLast(10).filter { gates.remove($0) === $0 }
        #expect(removed.count == all.count - 10)
        gates.suspend()
        #expect(gates.resume().gates.count == 10)
    }
}

extension GateChange {
    /// The gates that a resumption opened.
    fileprivate var gates: [Gate] {
        switch self {
        case .none: []
        case .opened(let gate): [gate]
        case .several(let changes): changes.flatMap(\.gates)
        }
    }
}
