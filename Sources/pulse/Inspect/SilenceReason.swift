import NetNodes
import StreamsInspector

extension InspectForest {
    /// Returns the reason why nothing arrives from a node; `nil` if elements have arrived within the last two seconds.
    func silence(of index: Int) -> String? {
        guard isSilent(index) else { return nil }
        return surroundings(of: index).explanation(of: nodes[index].id)?.description
    }

    /// The reasons why nothing arrives from the silent chains, without those that only wait for elements of a source, or for their turn.
    var causes: [String] {
        let silent = nodes.indices.lazy.filter { isOutermost($0) && isSilent($0) }
        let found = silent.prefix(Self.mostExplained).compactMap { surroundings(of: $0).explanation(of: nodes[$0].id) }
        return found.filter { ![.silent, .queued].contains($0.cause) }.prefix(Self.mostCauses).map(\.description)
    }

    private static let mostExplained = 200
    private static let mostCauses = 20

    /// Whether the node has emitted nothing in the last two seconds.
    func isSilent(_ index: Int) -> Bool {
        let node = nodes[index]
        return node.object == nil && node.rate == 0 && (node.lastEvent?.age ?? node.age) >= 2
    }

    /// Returns the node, its downstream, and the nearest nodes upstream: the explanation looks no further, whatever the process has
    /// answered.
    private func surroundings(of index: Int) -> InspectorSnapshot {
        var found = Array(path(from: index).prefix(Self.longestPath).reversed())
        var next = found.count - 1
        let deepest = depths[index] + Self.longestPath
        while next < found.count, found.count < Self.mostNodes {
            if depths[found[next]] < deepest { found += upstreams(of: found[next]) }
            next += 1
        }
        var surroundings = InspectorSnapshot(process: 0, program: "", time: 0)
        let used = Set(found.compactMap { nodes[$0].sharing?.id })
        let known = Set(found)
        surroundings.nodes = (found + objects.filter { !known.contains($0) && used.contains(nodes[$0].object ?? 0) }).map { nodes[$0] }
        return surroundings
    }

    private static let longestPath = 64
    private static let mostNodes = 2_000
}
