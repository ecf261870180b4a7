import Streams
import StreamsInspector
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

@Suite("What --once makes of many operators")
struct InspectTextTests {
    @Test func `Many equal upstreams of one operator are one line with their sums`() {
        var snapshot = InspectorSnapshot(process: 7, program: "shop", time: 0)
        let waiting = (2...60).map { id in
            var node = SampleSnapshots.node(UInt64(id), "rateLimit", in: 1, line: 8)
            (node.elements, node.rate) = (2, 0.5)
            return node
        }
        snapshot.nodes = [SampleSnapshots.node(1, "flatMap", line: 7)] + waiting
        let lines = InspectText(snapshot).lines
        #expect(lines[3].split(separator: " ").prefix(6) == ["59", "×", "rateLimit", "active", "118", "29.5"])
        #expect(!lines[4...].contains { $0.hasPrefix("  rateLimit") })
    }

    @Test func `A few are a line each`() {
        var snapshot = InspectorSnapshot(process: 7, program: "shop", time: 0)
        snapshot.nodes = [SampleSnapshots.node(1, "flatMap", line: 7)] + (2...5).map { SampleSnapshots.node($0, "timer", in: 1, line: 8) }
        #expect(InspectText(snapshot).lines.count { $0.hasPrefix("  timer") } == 4)
    }

    @Test func `A join over its bound stands out`() {
        var snapshot = InspectorSnapshot(process: 7, program: "shop", time: 0)
        var zip = SampleSnapshots.node(1, "zip", line: 7)
        zip.queues = [Node.Queue(name: "unpaired elements", count: 604, bound: 128)]
        snapshot.nodes = [zip]
        let sentence = "`zip` (Shop/Orders.swift:7) keeps 604 elements of a stream that is ahead"
        #expect(InspectText(snapshot).lines.contains { $0.contains(sentence) })
    }
}
