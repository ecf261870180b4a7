import Foundation
import StreamsTesting
import Testing

@testable import StreamsInspector

@Suite("Snapshots")
struct SnapshotTests {
    /// Two operators of one chain, the inner one suspended.
    private func snapshot(elements: UInt64 = 3, extra: Int = 0, time: Double = 1) -> InspectorSnapshot {
        var snapshot = InspectorSnapshot(process: 1, program: "App", time: time)
        var map = InspectorSnapshot.Node(id: 1, operatorName: "map", place: .init(file: "App/\"Quotes\".swift", line: 12), age: 2)
        map.elements = elements
        var source = InspectorSnapshot.Node(id: 2, parent: 1, operatorName: "from", age: 2)
        (source.state, source.suspension) = (.suspended, .init(boundary: 1, age: 1, reason: .full))
        snapshot.nodes = [map, source]
        for number in 0..<extra { snapshot.nodes.append(.init(id: UInt64(10 + number), operatorName: "map", place: map.place)) }
        return snapshot
    }

    @Test func `A snapshot survives JSON`() throws {
        let json = try JSONEncoder().encode(snapshot())
        #expect(try JSONDecoder().decode(InspectorSnapshot.self, from: json) == snapshot())
        #expect(String(decoding: json, as: UTF8.self).contains("\"operator\":\"map\""))
    }

    @Test func `The difference says what grew, and how fast the others are`() throws {
        let difference = snapshot(elements: 13, extra: 4, time: 3).difference(from: snapshot())
        #expect(difference.duration == 2)
        let change = try #require(difference.changes.first)
        #expect(change.before == 1 && change.after == 5 && change.rate == 5 && difference.changes.count == 1)
        #expect(difference.started.count == 4 && difference.ended == [])
        #expect(snapshot().difference(from: snapshot(extra: 1)).ended.count == 1)
    }

    @Test func `DOT and Prometheus text quote what a place can contain`() {
        #expect(snapshot().dot().contains(#"n1 [label="map\n3 elements\nApp/\"Quotes\".swift:12"];"#))
        #expect(snapshot().dot().contains("n2 -> n1;"))
        let text = snapshot(extra: 1).prometheus()
        #expect(text.contains(#"streams_operators{operator="map",place="App/\"Quotes\".swift:12"} 2"#))
        #expect(text.contains(#"streams_suspended{operator="from",place=""} 1"#))
        #expect(text.hasSuffix("\n"))
    }

    @Test func `Without the inspector the API exists and shows nothing`() throws {
        guard !Inspector.isAvailable else { return }
        try Inspector.start()
        #expect(Inspector.snapshot().nodes == [] && Inspector.socketPath == nil)
    }
}
