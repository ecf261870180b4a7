import Schedulers
import Synchronization

/// What is behind a context: the subscription to a stream, or to the contexts that it was derived from, with the handles to cancel those.
@usableFromInline final class ContextOperation: Sendable {
    /// Ends when the context is cancelled, or when everything upstream is gone.
    let lifetime: Lifetime
    /// The log of the context.
    let journal: Journal
    /// Starts it once more, for a retry. It holds no context.
    let recipe: (@Sendable () -> any AnyContext)?
    private weak let output: Output?
    private let links = Lock<[ContextLink]>([])
    private let hasForwarded = Atomic<Bool>(false)
    private let mark = Resources.Mark("ContextOperation")

    /// How upstream holds the context: strongly, unless that only forwards and nobody is subscribed to it.
    final class Output: Sendable {
        weak let context: (any AnyContext)?
        private let retained: Lock<(any AnyContext)?>

        init(_ context: any AnyContext) {
            self.context = context
            retained = Lock(context)
        }

        func retain(_ context: (any AnyContext)?, _ note: () -> Void) {
            // What was retained is handed out of the lock, to be released there (law 3).
            _ = retained.withLock { retained in
                note()
                defer { retained = context }
                return retained
            }
        }
    }

    init(_ output: Output, journal: Journal, scope: Scope?, recipe: (@Sendable () -> any AnyContext)?) {
        lifetime = Lifetime(scope: scope)
        self.output = output
        self.journal = journal
        self.recipe = recipe
    }

    /// Retains `context`, which it feeds, or nothing; `note` remembers which, under the same lock.
    func retain(_ context: (any AnyContext)?, _ note: () -> Void) {
        output?.retain(context, note)
    }

    /// Whether nothing more comes from any of the contexts that it subscribes to.
    var haveSourcesEnded: Bool {
        let links = links.withLock { $0 }
        return !links.isEmpty && links.allSatisfy { $0.source?.hasEnded ?? true }
    }

    /// Whether the context has begun to forward the one operation that is left, as it had no outcome when nothing else could come any more.
    var isForwarding: Bool {
        hasForwarded.load(ordering: .acquiring)
    }

    /// The context that it only forwards.
    var forwarded: (any AnyContext)? {
        guard isForwarding else { return nil }
        return links.withLock { $0.count == 1 ? $0.first : nil }?.source
    }

    /// Forwards from now on, unless there is an outcome.
    func beginForwarding() -> Bool {
        let begins = output?.context?.hasOutcome == false
        hasForwarded.store(begins, ordering: .releasing)
        return begins
    }

    /// Ends it; where `cancelling` is false, without cancelling anything upstream.
    func end(cancelling: Bool) {
        if !cancelling { for link in links.withLock({ $0 }) { link.leave(cancelling: false) } }
        lifetime.dispose()
    }

    /// Adds a link; it takes the place of one on the same context, which is not cancelled in between.
    fileprivate func add(_ link: ContextLink) {
        let before = links.withLock { links in
            defer { links.append(link) }
            return links.first { $0.identity == link.identity }
        }
        before?.leave(cancelling: false)
    }

    fileprivate func remove(_ link: ContextLink) {
        links.withLock { $0.removeAll { $0 === link } }
    }
}

/// A context, whatever its model.
protocol AnyContext: AnyObject, Sendable {
    var hasEnded: Bool { get }
    var hasOutcome: Bool { get }
    var journal: Journal { get }

    /// A derived context subscribes to this one.
    func join()

    /// A derived context disposes its subscription; where `cancelling`, it wants the operation cancelled.
    func leave(cancelling: Bool)
}

/// A derived context's weak handle on one of the contexts that it subscribes to: disposing it cancels upstream, once.
final class ContextLink: Disposable {
    weak let source: (any AnyContext)?
    fileprivate let identity: ObjectIdentifier
    private let operation: ContextOperation
    private let journal: Journal
    private let isArmed = Atomic<Bool>(true)
    private let mark = Resources.Mark("ContextLink")

    init(_ source: any AnyContext, _ operation: ContextOperation) {
        self.source = source
        self.operation = operation
        identity = ObjectIdentifier(source)
        journal = source.journal
        operation.journal.add(journal)
        source.join()
        operation.add(self)
    }

    func dispose() {
        leave(cancelling: true)
    }

    /// Leaves a context that only forwards another, without cancelling it, and without its log, which leads to the log of that one.
    func leaveForwarding() {
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
