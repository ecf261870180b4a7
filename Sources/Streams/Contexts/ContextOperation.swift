import Schedulers
import Synchronization

/// The operation of a context: the subscription to a stream, or to the contexts that this one was derived from.
///
/// It is the lifetime of that subscription: disposed when the context is cancelled, or when everything upstream has been released.
@usableFromInline final class ContextOperation: Lifetime, @unchecked Sendable {
    // Law 9: the stored properties are constants, locked or atomic, but for `retention`.
    /// The context releases its operation when it is released itself.
    private let context: any AnyContext
    private let hasForwarded = Atomic<Bool>(false)
    /// The reference by which upstream retains the context, if the context may forward another. Written before the operation starts.
    @usableFromInline @safe @exclusivity(unchecked) weak var retention: ContextRetention?

    @usableFromInline init(of context: any AnyContext, scope: Scope?) {
        self.context = context
        super.init(scope: scope)
    }

    /// The contexts that the operation subscribes to; `nil` if there are none.
    var sources: [any AnyContext]? {
        let links = context.links
        return links.isEmpty ? nil : links.map(\.anySource)
    }

    /// Whether the context only forwards the one remaining operation: it had no outcome when everything else had terminated.
    @usableFromInline var isForwarding: Bool {
        hasForwarded.load(ordering: .acquiring)
    }

    /// The context that the operation forwards.
    var forwarded: (any AnyContext)? {
        guard isForwarding else { return nil }
        let links = context.links
        return links.count == 1 ? links[0].anySource : nil
    }

    /// Begins to forward, unless there is an outcome.
    @usableFromInline func beginForwarding() -> Bool {
        let begins = !context.hasOutcome
        hasForwarded.store(begins, ordering: .releasing)
        return begins
    }

    /// Disposes the operation; if `cancelling` is `false`, without cancelling upstream operations.
    func end(cancelling: Bool) {
        if !cancelling { for link in context.links { link.leave(cancelling: false) } }
        dispose()
    }

    /// Adds a link. It replaces a link to the same context, which is not cancelled in between.
    @usableFromInline func add(_ link: any AnyContextLink) {
        context.add(link)?.leave(cancelling: false)
    }

    /// Leaves `context`, which is about to be subscribed to again, without cancelling it.
    @usableFromInline func leave(_ source: any AnyContext) {
        link(to: source)?.leave(cancelling: false)
    }

    /// Leaves a context that only forwards another, without cancelling it, and drops its log, which references the log of the other.
    @usableFromInline func leaveForwarding(_ source: any AnyContext) {
        guard let link = link(to: source) else { return }
        context.remove(link, keepingLog: false)
        link.leave(cancelling: false)
    }

    fileprivate func remove(_ link: any AnyContextLink) {
        context.remove(link, keepingLog: true)
    }

    private func link(to source: any AnyContext) -> (any AnyContextLink)? {
        context.links.first { $0.anySource === source }
    }
}

/// Keeps a context for upstream, or lets it go: one that only forwards another is needed by its subscribers only.
@usableFromInline class ContextRetention: @unchecked Sendable {
    private struct State {
        var retained: (any AnyObject & Sendable)?
        weak var released: (any AnyObject & Sendable)?
    }

    // Law 3: the state is accessed under the lock, and nothing is released there.
    private final let state: Lock<State>

    @usableFromInline init(_ context: any AnyObject & Sendable) {
        state = Lock(State(retained: context))
    }

    /// The context, if it exists.
    final var context: (any AnyObject & Sendable)? {
        state.withLock { $0.retained ?? $0.released }
    }

    final func retain(_ isRetained: Bool) {
        let context = context
        state.withLock { state in
            state.released = isRetained ? nil : context
            state.retained = isRetained ? context : nil
        }
    }
}

/// The one reference of upstream to a context: an observer that captures nothing else is not allocated.
@usableFromInline final class ContextInput<Model: Sendable>: ContextRetention, @unchecked Sendable {
    // Law 9: the stored properties are constants.
    @usableFromInline let core: ContextCore<Model>
    @usableFromInline let operation: ContextOperation

    @inlinable init(_ context: Observer<Model>, _ operation: ContextOperation) {
        core = context.core
        self.operation = operation
        super.init(context)
    }
}

/// A subscription of an operation to a context, independent of the model.
@usableFromInline protocol AnyContextLink: AnyObject, Sendable {
    var anySource: any AnyContext { get }

    func leave(cancelling: Bool)
}

/// A derived context's subscription to a context that it was derived from: disposing it cancels upstream, once.
@usableFromInline final class ContextLink<Model: Sendable>: ReplaySlot<Outcome<Model>?>, AnyContextLink, @unchecked Sendable {
    // Law 9: the stored properties are constants or atomic.
    @usableFromInline let operation: ContextOperation
    @usableFromInline let isArmed = Atomic<Bool>(true)
    private let mark = Resources.Mark("ContextLink")

    @inlinable init(
        _ observer: consuming AnyObserver<Outcome<Model>?>, _ source: borrowing ContextCore<Model>, _ operation: borrowing ContextOperation,
        in lifetime: borrowing Lifetime
    ) {
        self.operation = copy operation
        super.init(observer, core: source, parent: lifetime)
        source.join()
        operation.add(self)
    }

    // Law 9: the subject was given to the initializer, as a context.
    @usableFromInline var source: ContextCore<Model> {
        unsafe unsafeDowncast(core.takeUnretainedValue(), to: ContextCore<Model>.self)
    }

    @usableFromInline var anySource: any AnyContext { source }

    @usableFromInline override func tearDown() {
        super.tearDown()
        leave(cancelling: true)
    }

    /// Stays in its lifetime: the operation has this link until the end of its source has been handled.
    @usableFromInline override func didStop() {}

    @usableFromInline func leave(cancelling: Bool) {
        guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
        operation.remove(self)
        source.leave(cancelling: cancelling)
    }
}
