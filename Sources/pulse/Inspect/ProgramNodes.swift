import StreamsInspector

extension InspectorSnapshot {
    /// The snapshot without the operators that the package built inside those of the program. The next shown operator downstream gets their
    /// queues, their limiter and their upstreams. O(nodes).
    var ofProgram: InspectorSnapshot {
        guard nodes.contains(where: { $0.isInternal == true }) else { return self }
        var kept: [Node] = []
        // Parents stand before their children. For a node that is left out, this is the node that is shown in its place, if there is one.
        var places: [Node.ID: Int] = [:]
        var retainers: [Node.ID: Node.Retainer] = [:]
        for var node in nodes {
            let place = node.parent.flatMap { places[$0] }
            let retainer = node.retainer ?? node.parent.flatMap { retainers[$0] }
            if node.isInternal == true {
                (places[node.id], retainers[node.id]) = (place, retainer)
                guard let place else { continue }
                kept[place].queues += node.queues
                kept[place].limiter = kept[place].limiter ?? node.limiter
            } else {
                node.parent = place.map { kept[$0].id }
                if place == nil { node.retainer = retainer }
                places[node.id] = kept.count
                kept.append(node)
            }
        }
        var snapshot = self
        snapshot.nodes = kept.map { node in
            var node = node
            let boundary = node.suspension?.boundary.flatMap { places[$0] }
            node.suspension?.boundary = boundary.map { kept[$0].id }
            return node
        }
        return snapshot
    }
}
