import Schedulers
import Synchronization

/// Starts an operation once more, in a context of its own; nil if that cannot be done any more.
typealias Recipe<Model: Sendable> = @Sendable () -> Observer<Model>?

/// A recipe, whatever its model.
class AnyRecipe: @unchecked Sendable {}

final class BoxedRecipe<Model: Sendable>: AnyRecipe, @unchecked Sendable {
    // Everything stored is constant (law 3).
    let start: Recipe<Model>

    init(_ start: @escaping Recipe<Model>) {
        self.start = start
    }
}

/// What is behind a context: the subscription to a stream, or to the contexts that it was derived from, with the handles to cancel those.
@usableFromInline final class ContextOperation: Sendable {
    /// Ends when the context is cancelled, or when everything upstream is gone.
    let lifetime: Lifetime
    /// The log of the context.
    let journal: Journal
    private weak let output: Output?
    private let links = Lock<[ContextLink]>([])
    private let hasSettled = Atomic<Bool>(false)
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

    /// Makes an operation; `output` is nil where the source itself retains the context.
    init(_ output: Output?, journal: Journal, scope: Scope? = nil) {
        lifetime = Lifetime(scope: scope)
        self.output = output
        self.journal = journal
    }

    /// Retains `context`, which it feeds, or nothing; `note` remembers which, under the same lock.
    func retain(_ context: (any AnyContext)?, _ note: () -> Void) {
        output?.retain(context, note)
    }

    /// Says whether what came from upstream has had its effect; until it has, the operation counts as running.
    func settle(_ settled: Bool = true) {
        hasSettled.store(settled, ordering: .releasing)
    }

    /// Whether nothing more comes of it.
    var hasEnded: Bool {
        if lifetime.isDisposed { return true }
        return hasSettled.load(ordering: .acquiring) && links.withLock { $0 }.allSatisfy { $0.source?.hasEnded ?? true }
    }

    /// Ends it; where `cancelling` is false, without cancelling anything upstream.
    func end(cancelling: Bool) {
        if !cancelling { for link in links.withLock({ $0 }) { link.disarm() } }
        lifetime.dispose()
    }

    fileprivate func add(_ link: ContextLink) {
        links.withLock { $0.append(link) }
    }

    fileprivate func remove(_ link: ContextLink) {
        links.withLock { $0.removeAll { $0 === link } }
    }
}

/// A context, whatever its model.
protocol AnyContext: AnyObject, Sendable {
    var hasEnded: Bool { get }
    var journal: Journal { get }

    /// A derived context subscribes to this one.
    func join()

    /// A derived context disposes its subscription; where `cancelling`, it wants the operation cancelled.
    func leave(cancelling: Bool)
}

/// A derived context's weak handle on one of the contexts that it subscribes to: disposing it cancels upstream, once.
final class ContextLink: Disposable {
    weak let source: (any AnyContext)?
    private let operation: ContextOperation
    private let journal: Journal
    private let isArmed = Atomic<Bool>(true)
    private let mark = Resources.Mark("ContextLink")

    init(_ source: any AnyContext, _ operation: ContextOperation) {
        self.source = source
        self.operation = operation
        journal = source.journal
        operation.journal.add(journal)
        operation.add(self)
        source.join()
    }

    func dispose() {
        leave(cancelling: true)
    }

    /// Leaves without cancelling.
    func disarm() {
        leave(cancelling: false)
    }

    /// Leaves without cancelling a context that only forwards another one, and its log, which would lead to the log of that one.
    func disarmForwarding() {
        operation.journal.remove(journal)
        disarm()
    }

    private func leave(cancelling: Bool) {
        guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
        operation.remove(self)
        operation.journal.settle(journal)
        source?.leave(cancelling: cancelling)
    }
}
