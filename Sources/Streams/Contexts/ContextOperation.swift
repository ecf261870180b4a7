import Schedulers
import Synchronization

/// The operation of a context: the subscription to a stream, or to the contexts that this one was derived from, with the handles that
/// cancel them.
@usableFromInline final class ContextOperation: Sendable {
    /// Disposed when the context is cancelled, or when everything upstream has been released.
    @usableFromInline let lifetime: Lifetime
    /// The log of the context.
    let journal: Journal
    /// Starts the operation again, for a retry. The closure retains no context.
    @usableFromInline let recipe: (@Sendable () -> any AnyContext)?
    weak let retained: ContextRetention?
    private weak let context: (any AnyContext)?
    private let links = Lock<[ContextLink]>([])
    private let hasForwarded = Atomic<Bool>(false)
    private let mark = Resources.Mark("ContextOperation")

    @usableFromInline init(
        _ retained: ContextRetention, in lifetime: Lifetime, journal: Journal, recipe: (@Sendable () -> any AnyContext)?
    ) {
        self.lifetime = lifetime
        self.retained = retained
        context = retained.context
        self.journal = journal
        self.recipe = recipe
    }

    /// The contexts that the operation subscribes to; `nil` if there are none.
    var sources: [any AnyContext]? {
        let links = links.withLock { $0 }
        return links.isEmpty ? nil : links.compactMap(\.source)
    }

    /// Whether the context only forwards the one remaining operation: it had no outcome when everything else had terminated.
    @usableFromInline var isForwarding: Bool {
        hasForwarded.load(ordering: .acquiring)
    }

    /// The context that the operation forwards.
    var forwarded: (any AnyContext)? {
        guard isForwarding else { return nil }
        return links.withLock { $0.count == 1 ? $0.first : nil }?.source
    }

    /// Begins to forward, unless there is an outcome.
    @usableFromInline func beginForwarding() -> Bool {
        let begins = context?.hasOutcome == false
        hasForwarded.store(begins, ordering: .releasing)
        return begins
    }

    /// Disposes the operation; if `cancelling` is `false`, without cancelling upstream operations.
    func end(cancelling: Bool) {
        if !cancelling { for link in links.withLock({ $0 }) { link.leave(cancelling: false) } }
        lifetime.dispose()
    }

    /// Adds a link. It replaces a link to the same context, which is not cancelled in between.
    fileprivate func add(_ link: ContextLink) {
        let others = links.withLock { links in
            defer { links.append(link) }
            return links
        }
        others.first { $0.source === link.source }?.leave(cancelling: false)
    }

    fileprivate func remove(_ link: ContextLink) {
        links.withLock { $0.removeAll { $0 === link } }
    }
}

/// The context, if upstream retains it.
@usableFromInline class ContextRetention: @unchecked Sendable {
    // Law 2: changes only inside the context's serializer.
    @usableFromInline @safe @exclusivity(unchecked) final var context: (any AnyContext)?

    @usableFromInline init(_ context: any AnyContext) {
        self.context = context
    }
}

/// What upstream references of a context: an observer that captures nothing else is not allocated.
@usableFromInline final class ContextInput<Model: Sendable>: ContextRetention, @unchecked Sendable {
    // Law 9: stored properties are constants.
    @usableFromInline weak let receiver: Observer<Model>?
    @usableFromInline let lifetime: Lifetime

    @inlinable init(_ receiver: Observer<Model>, in lifetime: Lifetime) {
        self.receiver = receiver
        self.lifetime = lifetime
        super.init(receiver)
    }
}

/// A context, independent of its model.
@usableFromInline protocol AnyContext: AnyObject, Sendable {
    var awaited: [any AnyContext]? { get }
    var hasOutcome: Bool { get }
    var journal: Journal { get }

    /// A derived context subscribes to this one.
    func join()

    /// Disposes the subscription of a derived context; if `cancelling`, also requests the cancellation of the operation.
    func leave(cancelling: Bool)
}

extension AnyContext {
    /// Whether the operation will emit nothing more.
    var hasEnded: Bool {
        var rest: [any AnyContext] = [self]
        var seen: Set<ObjectIdentifier> = []
        while let context = rest.popLast() {
            guard seen.insert(ObjectIdentifier(context)).inserted else { continue }
            guard let awaited = context.awaited else { return false }
            rest += awaited
        }
        return true
    }
}

/// A derived context's weak reference to a context that it subscribes to: disposing it cancels upstream, once.
@usableFromInline final class ContextLink: Disposable {
    @usableFromInline weak let source: (any AnyContext)?
    private let operation: ContextOperation
    private let journal: Journal
    private let isArmed = Atomic<Bool>(true)
    private let mark = Resources.Mark("ContextLink")

    @usableFromInline init(_ source: any AnyContext, _ operation: ContextOperation) {
        self.source = source
        self.operation = operation
        journal = source.journal
        operation.journal.add(journal)
        source.join()
        operation.add(self)
    }

    @usableFromInline func dispose() {
        leave(cancelling: true)
    }

    /// Unsubscribes from a context that only forwards another, without cancelling it, and drops its log, which references the log of the
    /// other.
    @usableFromInline func leaveForwarding() {
        operation.journal.remove(journal)
        leave(cancelling: false)
    }

    fileprivate func leave(cancelling: Bool) {
        guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
        operation.remove(self)
        operation.journal.settle(journal)
        source?.leave(cancelling: cancelling)
    }
}
