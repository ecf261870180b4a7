import Schedulers
import Synchronization

/// The core of a context: a replay core that calls the listeners of the context before its streams.
///
/// An outcome is delivered to the listeners that were registered when it was accepted, and a listener begins with the stored outcome. Both
/// are read under the lock that changes the stored outcome, so a listener receives each outcome once.
@usableFromInline final class ContextCore<Model: Sendable>: ReplayCore<LatestElement<Outcome<Model>?>>, @unchecked Sendable {
    /// The listeners, kind by kind. Law 3: accessed only under the lock.
    @usableFromInline @safe @exclusivity(unchecked) var listeners: [ContextListener<Model>] = []

    @inlinable init() {
        super.init(LatestElement(nil))
    }

    /// Accepts an outcome, or `nil` to erase the stored one, unless the context has been cancelled, and delivers it in serial order.
    @inlinable func accept(_ outcome: Outcome<Model>?) {
        guard let called = admit(outcome) else { return }
        finish(outcome, called)
    }

    /// Accepts an outcome of upstream. Any number of contexts that derive from each other deliver it with a bounded stack.
    @inlinable func acceptStep(_ outcome: Outcome<Model>?) {
        guard let called = admit(outcome) else { return }
        if NestedSteps.runs({ finish(outcome, called) }) { return }
        NestedSteps.run { [self] in finish(outcome, called) }
    }

    @inlinable func finish(_ outcome: Outcome<Model>?, _ called: [ContextListener<Model>]) {
        deliver(outcome, to: called)
        serializer.leave()
    }

    /// Accepts an outcome. If it returns listeners, the caller has entered the serializer, and must deliver the outcome to them and leave.
    @inlinable func admit(_ outcome: Outcome<Model>?) -> [ContextListener<Model>]? {
        var called: [ContextListener<Model>] = []
        let isFirst = admit(.next(outcome), unless: { $0.element??.isCancelled == true }) {
            called = listeners
            if outcome?.isCancelled == true { listeners = [] }
            return serializer.tryEnter() || enterLater(outcome, called)
        }.isFirst
        return isFirst ? called : nil
    }

    @usableFromInline func enterLater(_ outcome: Outcome<Model>?, _ called: [ContextListener<Model>]) -> Bool {
        serializer.enter(orEnqueue: { [self] in deliver(outcome, to: called) })
    }

    @inlinable func deliver(_ outcome: Outcome<Model>?, to called: [ContextListener<Model>]) {
        if let outcome { for listener in called { listener.receive(outcome) } }
        deliverAccepted(.next(outcome))
    }

    /// Registers a listener, which receives the stored outcome before this method returns. It replaces the one of its kind, unless the
    /// context `keepsAll`; a cancelled context keeps none.
    @inlinable func register(_ listener: ContextListener<Model>, keepsAll: Bool) {
        let (stored, replaced) = state.withLock { _ in
            let stored = held.element ?? nil
            return (stored, stored?.isCancelled == true ? nil : insert(listener, keepsAll: keepsAll))
        }
        replaced?.close()
        listener.open(with: stored)
    }

    /// Adds a listener after those of its kind, and returns the one that it replaces. Call it under the lock only.
    @inlinable func insert(_ listener: ContextListener<Model>, keepsAll: Bool) -> ContextListener<Model>? {
        let place = listeners.firstIndex { $0.kind.rawValue > listener.kind.rawValue } ?? listeners.count
        guard !keepsAll, place > 0, listeners[place - 1].kind == listener.kind else {
            listeners.insert(listener, at: place)
            return nil
        }
        let replaced = listeners[place - 1]
        listeners[place - 1] = listener
        return replaced
    }

    /// Removes all listeners; they receive no further outcomes.
    func removeListeners() {
        let removed = state.withLock { _ in
            defer { listeners = [] }
            return listeners
        }
        for listener in removed { listener.close() }
    }

    /// Whether the context has listeners or streams.
    var isUsed: Bool {
        hasObservers || state.withLock { _ in !listeners.isEmpty }
    }
}

/// The kinds of listeners, in the order in which they are called.
@usableFromInline enum ListenerKind: UInt8, Sendable {
    case completed, failed, cancelled, deferred
}

/// A listener of a context. It is called with one outcome at a time (law 2).
@usableFromInline final class ContextListener<Model: Sendable>: Sendable {
    @usableFromInline let kind: ListenerKind
    @usableFromInline let delivery: Delivery?
    @usableFromInline let handler: @Sendable (Outcome<Model>) -> Void
    /// Busy while the stored outcome is delivered on the registering thread; outcomes accepted meanwhile are queued.
    @usableFromInline let serializer = Serializer()
    @usableFromInline let isClosed = Atomic<Bool>(false)
    private let mark = Resources.Mark("ContextListener")

    @inlinable init(_ kind: ListenerKind, _ delivery: Delivery?, _ handler: @escaping @Sendable (Outcome<Model>) -> Void) {
        self.kind = kind
        self.delivery = delivery
        self.handler = handler
        _ = serializer.tryEnter()
    }

    /// Calls the listener with the stored outcome, then with those accepted meanwhile; later ones are received directly.
    @inlinable func open(with stored: Outcome<Model>?) {
        if let stored { send(stored) }
        serializer.leave()
    }

    @inlinable @inline(never) func receive(_ outcome: Outcome<Model>) {
        guard serializer.tryEnter() else { return serializer.enqueue { [self] in send(outcome) } }
        send(outcome)
        serializer.leave()
    }

    /// Ends the listener: no further outcome is delivered to it.
    @inlinable func close() {
        isClosed.store(true, ordering: .relaxed)
    }

    @inlinable @inline(never) func send(_ outcome: Outcome<Model>) {
        guard let delivery else { return call(outcome) }
        delivery.run(isFinal: outcome.isCancelled) { [self] in call(outcome) }
    }

    @inlinable func call(_ outcome: Outcome<Model>) {
        guard !isClosed.load(ordering: .relaxed) else { return }
        LockProbe.expectNoLock()
        handler(outcome)
    }
}

extension Observer {
    /// Shows this context in the inspector until its operation has ended.
    @usableFromInline
    final func showInInspector() {
        Probe.shown(self, as: "Context") { context in
            guard !context.hasEnded else { return nil }
            let operation = context.state.withLock { $0.operation }
            var upstreams: [any AnyObject & Sendable] = operation?.sources ?? []
            if let operation { upstreams.append(operation.lifetime) }
            return Probe.Facts(context.summary, upstreams: upstreams)
        }
    }

    private final var summary: String {
        switch latest.flatMap({ $0 }) {
        case nil: "pending"
        case .data: "has data"
        case .failure(let error): "has failed: \(redactedDescription(of: error))"
        case .cancelled: "cancelled"
        }
    }
}
