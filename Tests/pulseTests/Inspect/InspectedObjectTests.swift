import Streams
import Testing

@testable import pulse

@Suite("The objects beside the streams of an inspected process")
struct InspectedObjectTests {
    private static func snapshot() -> InspectorSnapshot {
        var snapshot = InspectorSnapshot(process: 7, program: "shop", time: 0)
        var connection = SampleSnapshots.node(1, "NATSConnection", line: 3)
        (connection.object, connection.summary) = (77, "reconnecting to 127.0.0.1:4222, 3 attempts failed")
        var loop = SampleSnapshots.node(2, "retry", in: 1, line: 4)
        loop.lastEvent = Node.LastEvent(age: 0.1, thread: "")
        var messages = SampleSnapshots.node(3, "messages", line: 5)
        messages.sharing = Node.Sharing(id: 77, isConnected: false, subscribers: 1)
        snapshot.nodes = [connection, loop, messages]
        return snapshot
    }

    private let lines = InspectText(snapshot()).lines

    @Test func `An object has its summary, and neither elements nor a rate`() {
        #expect(lines[0] == "shop 7: 2 chains, 2 operators, 1 object")
        let cells = lines[2].split(separator: "  ").map { $0.drop { $0 == " " } }
        #expect(cells == ["NATSConnection", "reconnecting to 127.0.0.1:4222, 3 attempts failed", "object", "1 min", "Shop/Orders.swift:3"])
    }

    @Test func `A chain that waits for it says so, and an object is not called silent`() {
        let reasons = lines.drop { $0 != "Why nothing arrives:" }
        #expect(reasons.contains { $0.contains("waits for `NATSConnection` (Shop/Orders.swift:3): reconnecting to 127.0.0.1:4222") })
        #expect(!reasons.contains { $0.contains("`NATSConnection` (Shop/Orders.swift:3) has") })
    }

    @Test func `A filter finds it by its summary`() {
        let forest = InspectForest(Self.snapshot().nodes)
        var query = Query()
        query.filter = "reconnecting"
        #expect(forest.visible(query, collapsed: []).map { forest.nodes[$0].id } == [1])
    }
}
