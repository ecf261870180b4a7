import Streams
import Synchronization

/// The registry of running operators, of the process or of one test.
///
/// Law 3: under the lock no user code runs, and nothing of a user is released. All registries share the lock, because an operator of one
/// can start an operator of another.
final class InspectedStreams: @unchecked Sendable {
    private static let lock = Lock<Void>(())
    /// The maximum number of nodes that are kept, so that a million subscriptions need no more memory than these.
    static let defaultLimit = 100_000

    private let limit: Int
    // Accessed under the lock, like the state of the lifetimes.
    private var nodes: [UInt64: InspectedNode] = [:]
    private var hidden = 0
    private var started: UInt64 = 0
    /// The last number that was given to an operator or object.
    private var last: UInt64 = 0
    /// The objects that are shown beside the operators.
    let objects: PrunedList<InspectedObject>

    /// The work of operators that have ended, by the calls that created them; `nil` if it is not requested.
    private var ended: [[UInt]: InspectedTally]?

    init(limit: Int = InspectedStreams.defaultLimit, remembersEnded: Bool = false) {
        self.limit = limit
        ended = remembersEnded ? [:] : nil
        objects = PrunedList(limit: limit)
    }

    var count: Int { Self.lock.withLock { _ in nodes.count } }

    /// The running operators, in the order in which they were started, and the totals.
    var running: (nodes: [InspectedNode], totals: InspectorSnapshot.Totals) {
        var totals = InspectorSnapshot.Totals()
        let running = Self.lock.withLock { _ -> [InspectedNode] in
            (totals.nodes, totals.hidden, totals.started) = (nodes.count, hidden, started)
            return Array(nodes.values)
        }
        return (running.sorted { $0.id < $1.id }, totals)
    }

    /// Returns a number that is unique in this registry.
    func makeID() -> UInt64 {
        Self.lock.withLock { _ in
            last += 1
            return last
        }
    }

    /// Registers an operator that is being started, unless its lifetime has been disposed or there are too many.
    ///
    /// The operator was started by `starter`, whose code is running, if both belong to the same subscription. Otherwise, as after an action
    /// of a scheduler, it was started by the operator that created the lifetime, or by the last one that was started in it.
    func open(
        _ stack: CallStack, in lifetime: Lifetime, from starter: InspectedNode?, emittingTo handler: ObserverIdentity,
        isLast: Bool, isSynchronous: Bool
    ) -> InspectedNode? {
        let (node, replaced) = Self.lock.withLock { _ -> (InspectedNode?, [InspectedNode]) in
            started += 1
            last += 1
            guard !lifetime.isDisposed else { return (nil, []) }
            let state = Self.state(of: lifetime)
            guard nodes.count < limit else {
                if !isSynchronous { state.hide(in: self) }
                return (nil, [])
            }
            let position = state.position(for: starter, isRoot: lifetime.isRoot, emittingTo: handler, isLast: isLast)
            let node = InspectedNode(last, in: self, stack, lifetime, under: position)
            let replaced = state.takeReplaced(by: node)
            Self.forget(replaced)
            nodes[node.id] = node
            state.nodes.append(node)
            return (node, replaced)
        }
        withExtendedLifetime(replaced) {}
        // The lifetime was disposed while the operator was being recorded.
        if lifetime.isDisposed, let state = lifetime.inspected { Self.end(state) }
        node?.parent?.countStart()
        return node
    }

    /// Removes an operator that has terminated, and with it those that pass its observer on.
    func close(_ node: InspectedNode) {
        // This is not loaded under the lock: it could be the last reference.
        let lifetime = node.lifetime
        let closed = Self.lock.withLock { _ -> [InspectedNode] in
            guard forget(node) else { return [] }
            let closed = lifetime?.inspected?.take { $0 === node || $0.isPassing && $0.counts === node.counts } ?? []
            Self.forget(closed)
            return closed
        }
        withExtendedLifetime((closed, lifetime)) {}
    }

    func removeAll() {
        let removed = Self.lock.withLock { _ in
            defer { nodes = [:] }
            return nodes
        }
        withExtendedLifetime(removed) {}
        objects.removeAll()
    }

    /// Removes operators from their registries. Called under the lock.
    fileprivate static func forget(_ closed: [InspectedNode]) {
        for node in closed { node.streams.forget(node) }
    }

    /// Removes an operator; returns whether it was registered. Called under the lock.
    @discardableResult
    private func forget(_ node: InspectedNode) -> Bool {
        guard nodes.removeValue(forKey: node.id) != nil else { return false }
        ended?[node.stack.addresses, default: InspectedTally(node.stack)].add(node)
        return true
    }

    /// The work of the operators of each line, including those that have ended. O(lines + running operators).
    var tallies: [InspectedTally] {
        Self.lock.withLock { _ in
            var tallies = ended ?? [:]
            for node in nodes.values { tallies[node.stack.addresses, default: InspectedTally(node.stack)].add(node) }
            return Array(tallies.values)
        }
    }

    /// Returns the records of a lifetime, which begin with the first call. Called under the lock.
    fileprivate static func state(of lifetime: Lifetime) -> InspectedLifetime {
        if let state = lifetime.inspected { return state }
        let state = InspectedLifetime()
        lifetime.probed.setIfNil(state)
        return state
    }

    /// Counts operators that are running and not kept. Called under the lock.
    fileprivate func addHidden(_ amount: Int) {
        hidden += amount
    }
}

extension InspectedStreams {
    /// Records which operator is being started, in a lifetime that is created meanwhile.
    static func noteCreation(of child: Lifetime, in parent: Lifetime) {
        let current = InspectedThread.current.node
        lock.withLock { _ in
            guard let node = preferred(current, or: parent.inspected?.last) else { return }
            child.probed.setIfNil(InspectedLifetime(startedBy: node))
        }
    }

    /// Returns the operator whose code is running, unless it belongs to another tree than the last operator of a lifetime.
    fileprivate static func preferred(_ current: InspectedNode?, or last: InspectedNode?) -> InspectedNode? {
        guard let current, let last else { return current ?? last }
        return current.isRelated(to: last) ? current : last
    }

    /// Records that a lifetime without a parent belongs to the running operator: it is the upstream of a connection, which its subscribers
    /// share, or of streams that are emitted.
    static func noteConnection(_ lifetime: Lifetime, _ sharing: InspectedSharing? = nil) {
        let current = InspectedThread.current.node
        lock.withLock { _ in lifetime.probed.setIfNil(InspectedLifetime(startedBy: current, connection: sharing)) }
    }

    /// Records the object that retains a subscription.
    static func noteRetainer(of lifetime: Lifetime, _ retainer: InspectorSnapshot.Node.Retainer) {
        lock.withLock { _ in state(of: lifetime).retainer = retainer }
    }

    /// Records that a subscription belongs to that of `owner`, such as one that is made in the closure of `create`.
    static func noteOwner(of lifetime: Lifetime, _ owner: Lifetime) {
        let current = InspectedThread.current.node
        lock.withLock { _ in lifetime.inspected?.owner = preferred(current, or: owner.inspected?.last) }
    }

    /// Records a queue at the end of the chain of `lifetime`.
    static func noteQueue(_ queue: InspectedQueue, of lifetime: Lifetime) {
        lock.withLock { _ in state(of: lifetime).queue = queue }
    }

    /// Returns the records about the subscription of `lifetime`.
    static func origin(of lifetime: Lifetime) -> InspectedOrigin {
        lock.withLock { _ in
            let state = lifetime.inspected
            return InspectedOrigin(retainer: state?.retainer, queue: state?.queue, node: state?.starter, owner: state?.owner)
        }
    }

    /// Removes the operators of a lifetime that has been disposed or is being freed.
    static func end(_ state: InspectedLifetime) {
        let ended = lock.withLock { _ in state.end() }
        withExtendedLifetime(ended) {}
    }
}

/// The object that retains a subscription, the queue at its end, and the operator that created its lifetime.
struct InspectedOrigin {
    var retainer: InspectorSnapshot.Node.Retainer?
    var queue: InspectedQueue?
    var node: InspectedNode?
    /// The operator to which its subscription belongs.
    var owner: InspectedNode?
}

/// The place of an operator in its tree.
struct InspectedPosition {
    var parent: InspectedNode?
    var connection: InspectedSharing?
    var isPassing = false
    var isLast = false
}

/// The records of the inspector in a lifetime. They are accessed under the lock of the registries.
final class InspectedLifetime: @unchecked Sendable {
    /// The operator that created the lifetime.
    fileprivate let starter: InspectedNode?
    private let connection: InspectedSharing?
    fileprivate var retainer: InspectorSnapshot.Node.Retainer?
    fileprivate var queue: InspectedQueue?
    fileprivate var owner: InspectedNode?
    fileprivate var nodes: [InspectedNode] = []
    private var hidden: [(streams: InspectedStreams, count: Int)] = []

    fileprivate init(startedBy starter: InspectedNode? = nil, connection: InspectedSharing? = nil) {
        (self.starter, self.connection) = (starter, connection)
    }

    /// The innermost operator so far.
    fileprivate var last: InspectedNode? { nodes.last ?? starter }

    fileprivate func position(
        for current: InspectedNode?, isRoot: Bool, emittingTo handler: ObserverIdentity, isLast: Bool
    ) -> InspectedPosition {
        guard last != nil || !isRoot else { return InspectedPosition(connection: connection) }
        var position = InspectedPosition(
            parent: InspectedStreams.preferred(current, or: last), connection: nodes.isEmpty ? connection : nil, isLast: isLast)
        guard let parent = position.parent, parent.counts.handler == handler else { return position }
        position.isPassing = true
        if isLast { position.parent = parent.outermostLast?.parent ?? parent }
        return position
    }

    /// Takes the operators that a last upstream replaces: those that pass the observer of its parent on, and were started since.
    fileprivate func takeReplaced(by node: InspectedNode) -> [InspectedNode] {
        guard node.isPassing, node.isLast else { return [] }
        // The parent can be in the lifetime downstream.
        let parent = nodes.firstIndex { $0 === node.parent }
        return take(from: parent.map { $0 + 1 } ?? 0) { $0.counts === node.counts }
    }

    fileprivate func take(from first: Int = 0, where isTaken: (InspectedNode) -> Bool) -> [InspectedNode] {
        let taken = nodes[first...].filter(isTaken)
        if !taken.isEmpty { nodes[first...].removeAll(where: isTaken) }
        return taken
    }

    fileprivate func hide(in streams: InspectedStreams) {
        streams.addHidden(1)
        if let last = hidden.indices.last, hidden[last].streams === streams {
            hidden[last].count += 1
        } else {
            hidden.append((streams, 1))
        }
    }

    fileprivate func end() -> [InspectedNode] {
        for (streams, count) in hidden { streams.addHidden(-count) }
        hidden = []
        defer { nodes = [] }
        InspectedStreams.forget(nodes)
        return nodes
    }
}

extension Lifetime {
    /// The records in the lifetime. Their contents are accessed under the lock of the registries.
    fileprivate var inspected: InspectedLifetime? { probed.state as? InspectedLifetime }
}
