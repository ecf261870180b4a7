import NetNodes
import StreamsInspector

extension InspectForest {
    /// Why nothing arrives from a node; `nil` if elements have arrived within the last two seconds.
    func silence(of index: Int) -> String? {
        guard isSilent(index) else { return nil }
        return surroundings(of: index).explanation(of: nodes[index].id)?.description
    }

    /// Why nothing arrives from the silent chains where that is more than a source without elements, or a turn that has not come.
    var causes: [String] {
        let silent = nodes.indices.lazy.filter { isOutermost($0) && isSilent($0) }
        let found = silent.prefix(Self.mostExplained).compactMap { surroundings(of: $0).explanation(of: nodes[$0].id) }
        return found.filter { ![.silent, .queued].contains($0.cause) }.prefix(Self.mostCauses).map(\.description)
    }

    private static let mostExplained = 200
    private static let mostCauses = 20

    /// Whether it has emitted nothing in the last two seconds.
    func isSilent(_ index: Int) -> Bool {
        let node = nodes[index]
        return node.object == nil && node.rate == 0 && (node.lastEvent?.age ?? node.age) >= 2
    }

    /// The node, what is downstream of it, and the nearest of what is upstream: the explanation looks no further, whatever was answered.
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
