import Foundation
import Streams

/// The tree of the operators that run at one moment, and of the objects beside them. It knows where each of them is, and names none.
///
/// The positions are those of the operators, in the order in which they were started, followed by those of the objects.
struct InspectedTree {
    let nodes: [InspectedNode]
    let objects: [PrunedList<InspectedObject>.Shown]
    /// All positions, parents before their children.
    private(set) var order: [Int] = []
    /// The number of each downstream operator or object, before rings are cut.
    private var downstream: [UInt64?] = []
    /// The position downstream.
    private(set) var parents: [Int?] = []
    private(set) var children: [Int: [Int]] = [:]
    private let live: Set<UInt64>
    /// The subscribers of each shared stream.
    private(set) var subscribers: [UInt64: [UInt64]] = [:]

    init(_ nodes: [InspectedNode], _ objects: [PrunedList<InspectedObject>.Shown]) {
        (self.nodes, self.objects) = (nodes, objects)
        live = Set(nodes.map(\.id))
        for node in nodes {
            if let sharing = node.currentDetails.sharing { subscribers[sharing.id, default: []].append(node.id) }
        }
        // The numbers of the objects that receive the events of other objects or of lifetimes, by their upstreams.
        var receivers: [ObjectIdentifier: UInt64] = [:]
        for shown in objects {
            for upstream in shown.facts.upstreams { receivers[ObjectIdentifier(upstream)] = shown.object.id }
        }
        downstream = nodes.map { node in parent(of: node) ?? node.lifetime.flatMap { receivers[ObjectIdentifier($0)] } }
        downstream += objects.map { receivers[$0.identity] }
        connect()
    }

    /// Whether nothing is downstream of a position.
    func isOutermost(_ position: Int) -> Bool { downstream[position] == nil }

    /// The outermost operators, each of a chain of its own.
    var roots: [Int] {
        nodes.indices.filter { parents[$0].map { !nodes.indices.contains($0) } ?? true }
    }

    /// Whether a number is that of a running operator.
    func isLive(_ id: UInt64) -> Bool { live.contains(id) }

    /// The number of an operator or object.
    func id(_ position: Int) -> UInt64 {
        nodes.indices.contains(position) ? nodes[position].id : objects[position - nodes.count].object.id
    }

    /// Finds out the order and the children of all positions.
    private mutating func connect() {
        let positions = Dictionary(uniqueKeysWithValues: downstream.indices.map { (id($0), $0) })
        parents = downstream.map { $0.flatMap { positions[$0] } }
        for (position, parent) in parents.enumerated() {
            if let parent { children[parent, default: []].append(position) }
        }
        order.reserveCapacity(parents.count)
        var isOrdered = [Bool](repeating: false, count: parents.count)
        func add(_ root: Int) {
            var open = [root]
            while let next = open.popLast() {
                guard !isOrdered[next] else { continue }
                isOrdered[next] = true
                order.append(next)
                if let upstreams = children[next] { open += upstreams.reversed() }
            }
        }
        for position in parents.indices where parents[position] == nil { add(position) }
        // A shared stream leads back to itself: the parents form a ring.
        for position in parents.indices where !isOrdered[position] {
            parents[position] = nil
            add(position)
        }
    }

    /// Returns the next operator downstream that is running, or a subscriber of the connection.
    private func parent(of node: InspectedNode) -> UInt64? {
        var next = node.parent ?? node.lifetime.flatMap { InspectedStreams.origin(of: $0).owner }
        var connection = node.connection
        while let parent = next {
            if live.contains(parent.id) { return parent.id }
            connection = connection ?? parent.connection
            next = parent.parent
        }
        return connection.flatMap { subscribers[$0.id]?.first { $0 != node.id } }
    }
}
