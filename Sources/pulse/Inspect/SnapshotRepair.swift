import NetNodes
import StreamsInspector
import TerminalViews

extension InspectorSnapshot {
    /// The snapshot without values that no inspector sends: parents that do not exist or form a cycle, numbers that are negative or no
    /// numbers, two nodes with one id, texts that are long or control a terminal. O(nodes).
    var repaired: InspectorSnapshot {
        var snapshot = self
        snapshot.program = Self.shortened(program, 100)
        snapshot.time = time.bounded(by: 1e11)
        snapshot.totals = totals.repaired
        var ids: Set<Node.ID> = []
        snapshot.nodes = nodes.prefix(Self.mostNodes).filter { ids.insert($0.id).inserted }.map(\.repaired)
        for (index, parent) in InspectForest.parents(of: snapshot.nodes).enumerated() where parent == nil {
            snapshot.nodes[index].parent = nil
        }
        return snapshot
    }

    /// The maximum number of nodes, twice as many as an inspector keeps.
    private static let mostNodes = 200_000

    fileprivate static func shortened(_ text: String, _ characters: Int) -> String {
        TerminalText.sanitized(text.excerpt(characters))
    }
}

extension InspectorSnapshot.Totals {
    fileprivate var repaired: Self {
        var totals = self
        (totals.chains, totals.nodes, totals.hidden) = (chains.bounded, nodes.bounded, hidden.bounded)
        totals.outside = outside?.bounded
        totals.started = min(started, UInt64(Int.largestCount))
        return totals
    }
}

extension InspectorProtocol.Counts {
    /// The counts without values that no inspector sends.
    var repaired: Self {
        Self(
            program: InspectorSnapshot.shortened(program, 100), totals: totals.repaired, suspended: suspended.bounded,
            errors: errors.bounded,
            chains: chains.prefix(Self.mostLines).map { chain in
                let place = chain.place.map {
                    InspectorSnapshot.Node.Place(file: InspectorSnapshot.shortened($0.file, 120), line: $0.line.bounded)
                }
                return Inspector.Leak(
                    operatorName: InspectorSnapshot.shortened(chain.operatorName, 80), place: place, count: chain.count.bounded)
            })
    }

    /// The maximum number of lines that chains are counted by.
    private static let mostLines = 100_000
}

extension InspectorSnapshot.Node {
    fileprivate var repaired: Self {
        var node = self
        let shortened = InspectorSnapshot.shortened
        node.operatorName = shortened(operatorName, 80)
        node.place = place.map { Place(file: shortened($0.file, 120), line: $0.line.bounded) }
        node.name = name.map { shortened($0, 80) }
        node.summary = summary.map { shortened($0, 200) }
        node.lastError = lastError.map { shortened($0, 300) }
        node.lastElement = lastElement.map { shortened($0, 100) }
        node.elements = min(elements, UInt64(Int.largestCount))
        node.rate = rate.bounded(by: 1e12)
        node.starts = starts.bounded
        node.errors = errors.bounded
        node.age = age.bounded(by: Self.longestAge)
        node.lastEvent = lastEvent.map { LastEvent(age: $0.age.bounded(by: Self.longestAge), thread: shortened($0.thread, 60)) }
        node.suspension?.age = suspension?.age.bounded(by: Self.longestAge) ?? 0
        node.queues = queues.prefix(8).map { Queue(name: shortened($0.name, 20), count: $0.count.bounded, bound: $0.bound?.bounded) }
        node.busy = busy?.bounded(by: Self.longestAge)
        node.handlingTime = handlingTime.bounded(by: Self.longestAge)
        node.overtaken = overtaken.bounded
        node.timers = timers.prefix(8).map { $0.isNaN ? 0 : min(max($0, -Self.longestAge), Self.longestAge) }
        node.limiter = limiter.map {
            Limiter(id: $0.id, kind: shortened($0.kind, 40), figures: shortened($0.figures, 200), isWaiting: $0.isWaiting)
        }
        node.sharing?.subscribers = sharing?.subscribers.bounded ?? 0
        return node
    }

    /// The longest age, a century.
    private static let longestAge = 3.2e9
}

extension Int {
    /// The largest count: 200,000 nodes can have it without an overflow of their sum.
    fileprivate static let largestCount = 10_000_000_000_000
    fileprivate var bounded: Int { Swift.min(Swift.max(self, 0), Self.largestCount) }
}

extension Double {
    fileprivate func bounded(by limit: Double) -> Double { isNaN ? 0 : Swift.min(Swift.max(self, 0), limit) }
}

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
