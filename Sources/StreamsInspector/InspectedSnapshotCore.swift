import Foundation
import Streams

extension InspectedStreams {
    /// Takes a snapshot. It looks up names and places that no snapshot has shown yet, which can take a second the first time.
    ///
    /// - Parameter withPlaces: whether the snapshot has names and places.
    func snapshot(withPlaces: Bool = true) -> InspectorSnapshot {
        let (running, objects) = (running, objects.shown)
        let symbols = withPlaces ? SymbolTable.shared : nil
        symbols?.lookUp(running.nodes.map(\.stack) + objects.map(\.object.stack))
        var snapshot = InspectorSnapshot.ofThisProcess()
        snapshot.nodes = InspectedTree(running.nodes, objects, symbols).shownNodes()
        snapshot.totals = running.totals
        snapshot.totals.chains = snapshot.roots.count
        return snapshot
    }
}

/// The tree of the operators that run at one moment.
private struct InspectedTree {
    private let nodes: [InspectedNode]
    private let details: [InspectedNode.Details]
    private let live: Set<UInt64>
    private let objects: [PrunedList<InspectedObject>.Shown]
    /// The symbols that name the operators; `nil` if names are not requested.
    private let symbols: SymbolTable?
    /// The numbers of the objects that receive the events of other objects or of lifetimes, by their upstreams.
    private var downstream: [ObjectIdentifier: UInt64] = [:]
    /// The subscribers of each shared stream.
    private var subscribers: [UInt64: [UInt64]] = [:]
    private let time = MonotonicTime.now

    init(_ nodes: [InspectedNode], _ objects: [PrunedList<InspectedObject>.Shown], _ symbols: SymbolTable?) {
        (self.nodes, self.objects, self.symbols) = (nodes, objects, symbols)
        details = nodes.map(\.currentDetails)
        live = Set(nodes.map(\.id))
        for (node, details) in zip(nodes, details) {
            if let sharing = details.sharing { subscribers[sharing.id, default: []].append(node.id) }
        }
        for shown in objects {
            for upstream in shown.facts.upstreams { downstream[ObjectIdentifier(upstream)] = shown.object.id }
        }
    }

    /// All nodes, parents before their children.
    func shownNodes() -> [InspectorSnapshot.Node] {
        var shown = zip(nodes, details).map { show($0, $1) }
        shown += objects.map(show)
        let indices = Dictionary(uniqueKeysWithValues: zip(shown.map(\.id), shown.indices))
        var children: [UInt64: [Int]] = [:]
        for index in shown.indices {
            guard let parent = shown[index].parent else { continue }
            children[parent, default: []].append(index)
            guard let downstream = indices[parent], nodes.indices.contains(downstream), shown[index].elements == 0 else { continue }
            if shown[index].id < nodes[downstream].order.latest { shown[downstream].overtaken += 1 }
        }
        var order: [Int] = []
        var isOrdered = [Bool](repeating: false, count: shown.count)
        // For each operator: the nearest one that is not internal, from the operator itself on downstream.
        var builtAbove = [Int?](repeating: nil, count: shown.count)
        func add(_ root: Int) {
            var open = [root]
            while let next = open.popLast() {
                guard !isOrdered[next] else { continue }
                isOrdered[next] = true
                order.append(next)
                let downstream = shown[next].parent.flatMap { indices[$0] }.flatMap { builtAbove[$0] }
                if let downstream, isPart(next, of: downstream) { shown[next].isInternal = true }
                builtAbove[next] = shown[next].isInternal == true ? downstream : next
                open += (children[shown[next].id] ?? []).reversed()
            }
        }
        for index in shown.indices where shown[index].parent.map({ indices[$0] == nil }) ?? true { add(index) }
        // A shared stream leads back to itself: the parents form a ring.
        for index in shown.indices where !isOrdered[index] {
            shown[index].parent = nil
            add(index)
        }
        return order.map { shown[$0] }
    }

    /// Whether one call of the program built both operators, so that the upstream one is a part of the other. Operators that a loop builds
    /// have equal stacks.
    private func isPart(_ index: Int, of downstream: Int) -> Bool {
        guard nodes.indices.contains(index), nodes.indices.contains(downstream) else { return false }
        let (stack, outer) = (nodes[index].stack, nodes[downstream].stack)
        let (origin, outerOrigin) = (origin(of: stack), origin(of: outer))
        guard let caller = origin.caller, caller == outerOrigin.caller else { return false }
        guard origin.operatorName == outerOrigin.operatorName else { return false }
        return stack.addresses.prefix { $0 != caller } != outer.addresses.prefix { $0 != caller }
    }

    private func show(_ node: InspectedNode, _ details: InspectedNode.Details) -> InspectorSnapshot.Node {
        let origin = origin(of: node.stack)
        var shown = InspectorSnapshot.Node(
            id: node.id, parent: parent(of: node), operatorName: origin.operatorName, place: origin.place,
            age: MonotonicTime.seconds(from: node.startedAt, to: time))
        if origin.isInternal { shown.isInternal = true }
        node.counts.write(to: &shown, at: time)
        shown.summary = details.summary
        (shown.starts, shown.errors) = node.figures
        shown.lastError = details.lastError
        shown.overtaken = node.order.overtaken
        shown.queues = details.queues.map(\.shown)
        shown.timers = details.timers.compactMap(\.rest)
        shown.limiter = details.limiter.flatMap(\.shown)
        shown.sharing = details.sharing.map { sharing in
            .init(id: sharing.id, isConnected: sharing.isConnected(), subscribers: subscribers[sharing.id]?.count ?? 0)
        }
        if node.isFinished { shown.state = .finished }
        guard let lifetime = node.lifetime else { return shown }
        if shown.parent == nil { shown.parent = downstream[ObjectIdentifier(lifetime)] }
        if shown.parent == nil {
            let origin = InspectedStreams.origin(of: lifetime)
            shown.retainer = origin.retainer ?? (node.connection == nil ? .unknown : .connection)
            if let queue = origin.queue { shown.queues.append(queue.shown) }
            shown.name = lifetime.tracedPlace?.name
        }
        if !node.isFinished, let suspension = suspension(of: lifetime) { (shown.state, shown.suspension) = (.suspended, suspension) }
        return shown
    }

    private func origin(of stack: CallStack) -> CallStack.Origin { symbols?.origin(of: stack) ?? CallStack.Origin([]) }

    private func show(_ shown: PrunedList<InspectedObject>.Shown) -> InspectorSnapshot.Node {
        let origin = origin(of: shown.object.stack)
        var node = InspectorSnapshot.Node(
            id: shown.object.id, parent: downstream[shown.identity], operatorName: shown.object.kind, place: origin.place,
            age: MonotonicTime.seconds(from: shown.object.startedAt, to: time))
        node.object = UInt64(UInt(bitPattern: shown.identity))
        node.summary = shown.facts.summary
        if origin.isInternal { node.isInternal = true }
        return node
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

    private func suspension(of lifetime: Lifetime) -> InspectorSnapshot.Node.Suspension? {
        guard let gate = lifetime.closedGate else { return nil }
        let boundary = InspectedStreams.origin(of: gate).node
        return .init(
            boundary: boundary.flatMap { live.contains($0.id) ? $0.id : nil },
            age: MonotonicTime.seconds(from: UInt64(gate.closedAt.value), to: time),
            reason: gate.isBacklogged ? .backlog : .full)
    }
}

extension InspectedLimiter {
    fileprivate var shown: InspectorSnapshot.Node.Limiter? {
        figures().map { .init(id: id, kind: kind, figures: $0, isWaiting: isWaiting()) }
    }
}

extension InspectedQueue {
    fileprivate var shown: InspectorSnapshot.Node.Queue {
        .init(name: name, count: count(), bound: bound)
    }
}
