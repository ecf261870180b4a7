import Foundation
import Streams
import StreamsInspector
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@Suite("The tree of a snapshot, whatever is in it", .countsResources)
struct InspectForestTests {
    private func ids(_ nodes: [Node], _ query: Query = Query(), collapsed: Set<UInt64> = []) -> [UInt64] {
        let forest = InspectForest(nodes)
        return forest.visible(query, collapsed: collapsed).map { forest.nodes[$0].id }
    }

    private func sorted(_ column: InspectColumn, isAscending: Bool = false) -> Query {
        Query(filter: "", sorting: Table.Sorting(column: column.rawValue, isAscending: isAscending))
    }

    @Test func `Upstreams are below their downstream, in the order in which they were started`() {
        let nodes = SampleSnapshots.shop().nodes
        #expect(ids(nodes) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(InspectForest(nodes).depths == [0, 1, 2, 0, 1, 1, 0, 1, 0])
        #expect(ids(Array(nodes.reversed())) == [9, 7, 8, 4, 6, 5, 1, 2, 3])
    }

    @Test func `Sorting keeps the trees, each by the greatest value in it`() {
        let nodes = SampleSnapshots.shop().nodes
        #expect(ids(nodes, sorted(.rate)) == [4, 5, 6, 1, 2, 3, 7, 8, 9])
        #expect(ids(nodes, sorted(.queue)) == [4, 5, 6, 1, 2, 3, 7, 8, 9])
        #expect(ids(nodes, sorted(.errors)).prefix(2) == [7, 8])
        #expect(ids(nodes, sorted(.place, isAscending: true)) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(ids(nodes, sorted(.place)) == [9, 7, 8, 4, 6, 5, 1, 2, 3])
    }

    @Test func `A filter shows what matches and what is downstream of it, also in what is collapsed`() {
        let nodes = SampleSnapshots.shop().nodes
        #expect(ids(nodes, Query(filter: "suspended")) == [1, 2, 3])
        #expect(ids(nodes, Query(filter: "orders.swift:18 INTER"), collapsed: [4]) == [4, 5])
        #expect(ids(nodes, Query(filter: "nobody")).isEmpty)
        #expect(ids(nodes, collapsed: [1, 7]) == [1, 4, 5, 6, 7, 9])
    }

    @Test func `Cycles and parents that do not exist are cut, and no node is lost`() {
        let node = { (id: UInt64, parent: UInt64?) in SampleSnapshots.node(id, "map", in: parent, line: 1) }
        #expect(ids([node(1, 1), node(2, 99)]) == [1, 2])
        #expect(Set(ids([node(1, 2), node(2, 3), node(3, 1), node(4, 3)])) == [1, 2, 3, 4])
        #expect(ids([node(3, 2), node(2, 1), node(1, nil)]) == [1, 2, 3])
    }

    @Test func `A chain of 100,000 operators and 100,000 chains are trees`() {
        let chain = (1...100_000).map { SampleSnapshots.node(UInt64($0), "map", in: $0 == 1 ? nil : UInt64($0 - 1), line: 1) }
        #expect(ids(chain, sorted(.rate)).count == 100_000)
        #expect(InspectForest(chain).depths.last == 99_999)
        let chains = chain.map { SampleSnapshots.node($0.id, "map", line: Int($0.id)) }
        #expect(ids(chains, sorted(.place)).first == 100_000)
    }

    @Test func `Of garbage the repaired snapshot has numbers, texts and parents that can be shown and summed`() throws {
        var snapshot = InspectorSnapshot(process: 1, program: "\u{1B}[2J" + hostileText(10_000), time: .nan)
        snapshot.totals.hidden = -3
        var node = SampleSnapshots.node(1, String(repeating: "\u{1B}]0;x\u{7}", count: 1_000), in: 1, line: -5)
        (node.rate, node.age, node.elements) = (-.infinity, .infinity, .max)
        (node.errors, node.starts) = (.min, .max)
        node.queues = (0..<1_000).map { _ in Node.Queue(name: hostileText(100), count: .min, bound: .max) }
        node.suspension = Node.Suspension(boundary: 77, age: 1e300, reason: .full)
        node.lastEvent = Node.LastEvent(age: .nan, thread: hostileText(10_000))
        snapshot.nodes = (0..<10).map { index in
            var copy = node
            copy.id = UInt64(index / 2)
            copy.parent = UInt64((index / 2 + 1) % 5)
            return copy
        }
        let repaired = snapshot.repaired
        #expect(repaired.nodes.count == 5 && repaired.nodes.contains { $0.parent == nil } && repaired.totals.hidden == 0)
        #expect(repaired.repaired == repaired)
        for text in [repaired.program, repaired.json, repaired.dot(), repaired.prometheus()] + InspectText(repaired).lines {
            #expect(!text.contains("\u{1B}") && text.utf8.count < 30_000)
        }
        let forest = InspectForest(repaired.nodes)
        for index in forest.nodes.indices { _ = forest.silence(of: index) }
        #expect(repaired.difference(from: repaired).changes.isEmpty)
    }
}
