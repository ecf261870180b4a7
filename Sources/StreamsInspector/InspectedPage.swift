import Foundation
import Streams

/// Names the operators, by the calls that created them.
protocol CallNames {
    /// Looks up the stacks that are not known yet, all at once.
    func lookUp(_ stacks: [CallStack])
    /// Returns the operator that a stack created, and the line of the program that called it.
    func origin(of stack: CallStack) -> CallStack.Site
}

extension InspectedStreams {
    /// Takes a snapshot of a page of the tree. It looks up names and places that no snapshot has shown yet, which can take a second the
    /// first time, and none of operators outside of the page, except those downstream of it.
    ///
    /// - Parameter names: the names and places; `nil` if they are not requested.
    func snapshot(_ page: InspectorProtocol.Page = .all, names: (any CallNames)? = SymbolTable.shared) -> InspectorSnapshot {
        let running = running
        let tree = InspectedTree(running.nodes, objects.shown)
        var snapshot = InspectorSnapshot.ofThisProcess()
        let positions = page.positions(of: tree.order.count)
        snapshot.nodes = InspectedPage(tree, tree.order[positions], names).shown
        snapshot.totals = running.totals
        snapshot.totals.chains = tree.roots.count
        if positions.count < tree.order.count { snapshot.totals.outside = tree.order.count - positions.count }
        return snapshot
    }

    /// Counts the running streams. It looks up the names and places of the chains only.
    func counts(names: any CallNames = SymbolTable.shared) -> InspectorProtocol.Counts {
        let running = running
        let tree = InspectedTree(running.nodes, objects.shown)
        let chains = Dictionary(grouping: tree.roots.map { tree.nodes[$0].stack }, by: \.addresses).values
        names.lookUp(chains.map { $0[0] })
        var totals = running.totals
        totals.chains = tree.roots.count
        let origins = chains.flatMap { stacks in repeatElement(names.origin(of: stacks[0]), count: stacks.count) }
        return InspectorProtocol.Counts(
            program: ProcessInfo.processInfo.processName, totals: totals,
            suspended: running.nodes.count { !$0.isFinished && $0.lifetime?.closedGate != nil },
            errors: running.nodes.reduce(0) { $0 + $1.figures.errors },
            chains: Inspector.Leak.counted(origins.map { ($0.operatorName, $0.place) }))
    }
}

/// A page of the tree, with names.
private struct InspectedPage {
    private let tree: InspectedTree
    private let page: ArraySlice<Int>
    private let names: (any CallNames)?
    private var origins: [Int: CallStack.Site] = [:]
    /// For each operator: the nearest one that is not internal, from the operator itself on downstream.
    private var builtAbove: [Int: Int?] = [:]
    private let time = MonotonicTime.now

    init(_ tree: InspectedTree, _ page: ArraySlice<Int>, _ names: (any CallNames)?) {
        (self.tree, self.page, self.names) = (tree, page, names)
        // What stands above the first operator decides whether it is internal.
        var named = Array(page.reversed())
        while let parent = named.last.flatMap({ tree.parents[$0] }) { named.append(parent) }
        named.reverse()
        names?.lookUp(named.map(stack))
        for position in named {
            origins[position] = origin(of: stack(position))
            let downstream = tree.parents[position].flatMap { builtAbove[$0] ?? nil }
            if let downstream, isPart(position, of: downstream) { origins[position]?.isInternal = true }
            builtAbove[position] = .some(origins[position]?.isInternal == true ? downstream : position)
        }
    }

    /// The operators and objects of the page, parents before their children.
    var shown: [InspectorSnapshot.Node] {
        page.map { tree.nodes.indices.contains($0) ? show(tree.nodes[$0], at: $0) : show(tree.objects[$0 - tree.nodes.count], at: $0) }
    }

    private func stack(_ position: Int) -> CallStack {
        tree.nodes.indices.contains(position) ? tree.nodes[position].stack : tree.objects[position - tree.nodes.count].object.stack
    }

    private func origin(of stack: CallStack) -> CallStack.Site { names?.origin(of: stack) ?? CallStack.Site([]) }

    /// Whether one call of the program built both operators, so that the upstream one is a part of the other. Operators that a loop builds
    /// have equal stacks.
    private func isPart(_ position: Int, of downstream: Int) -> Bool {
        guard tree.nodes.indices.contains(position), tree.nodes.indices.contains(downstream) else { return false }
        guard let origin = origins[position], let outer = origins[downstream] else { return false }
        guard let caller = origin.caller, caller == outer.caller, origin.operatorName == outer.operatorName else { return false }
        return stack(position).addresses.prefix { $0 != caller } != stack(downstream).addresses.prefix { $0 != caller }
    }

    private func node(at position: Int, _ name: String?, since start: UInt64) -> InspectorSnapshot.Node {
        let origin = origins[position] ?? CallStack.Site([])
        var node = InspectorSnapshot.Node(
            id: tree.id(position), parent: tree.parents[position].map(tree.id), operatorName: name ?? origin.operatorName,
            place: origin.place, age: MonotonicTime.seconds(from: start, to: time))
        if origin.isInternal { node.isInternal = true }
        return node
    }

    private func show(_ node: InspectedNode, at position: Int) -> InspectorSnapshot.Node {
        let details = node.currentDetails
        var shown = self.node(at: position, nil, since: node.startedAt)
        node.counts.write(to: &shown, at: time)
        shown.summary = details.summary
        (shown.starts, shown.errors) = node.figures
        shown.lastError = details.lastError
        shown.overtaken = overtaken(by: node, at: position)
        shown.queues = details.queues.map(\.shown)
        shown.timers = details.timers.compactMap(\.rest)
        shown.limiter = details.limiter.flatMap(\.shown)
        shown.sharing = details.sharing.map { sharing in
            .init(id: sharing.id, isConnected: sharing.isConnected(), subscribers: tree.subscribers[sharing.id]?.count ?? 0)
        }
        if node.isFinished { shown.state = .finished }
        guard let lifetime = node.lifetime else { return shown }
        if tree.isOutermost(position) {
            let origin = InspectedStreams.origin(of: lifetime)
            shown.retainer = origin.retainer ?? (node.connection == nil ? .unknown : .connection)
            if let queue = origin.queue { shown.queues.append(queue.shown) }
            shown.name = lifetime.tracedPlace?.name
        }
        if !node.isFinished, let suspension = suspension(of: lifetime) { (shown.state, shown.suspension) = (.suspended, suspension) }
        return shown
    }

    /// Returns the number of upstreams that were overtaken, with those that have emitted nothing yet.
    private func overtaken(by node: InspectedNode, at position: Int) -> Int {
        let order = node.order
        let silent = (tree.children[position] ?? []).count { upstream in
            guard tree.nodes.indices.contains(upstream), tree.nodes[upstream].id < order.latest else { return false }
            return tree.nodes[upstream].counts.elementCount == 0
        }
        return order.overtaken + silent
    }

    private func show(_ shown: PrunedList<InspectedObject>.Shown, at position: Int) -> InspectorSnapshot.Node {
        var node = node(at: position, shown.object.kind, since: shown.object.startedAt)
        node.object = UInt64(UInt(bitPattern: shown.identity))
        node.summary = shown.facts.summary
        return node
    }

    private func suspension(of lifetime: Lifetime) -> InspectorSnapshot.Node.Suspension? {
        guard let gate = lifetime.closedGate else { return nil }
        let boundary = InspectedStreams.origin(of: gate).node
        return .init(
            boundary: boundary.flatMap { tree.isLive($0.id) ? $0.id : nil },
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
