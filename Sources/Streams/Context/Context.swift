import Schedulers
import Synchronization

/// The handle of one operation in progress, usually a request: it holds at most one outcome, and hands it to whoever listens later.
///
/// ```swift
/// service.users()
///     .onCompleted { users in show(users) }
///     .onError { error in show(error) }
/// ```
///
/// In the general stream model it is a replaying single-value subject of outcomes: a new outcome replaces the old one, so an error may be
/// followed by data and data by an error. One listener a kind: a second registration replaces the first. Usable from any thread;
/// outcomes are delivered one at a time in the order in which they were accepted (law 2), with no lock held.
///
/// Who may still emit holds the context, and a context holds what was derived from it. Dropping all references cancels nothing.
/// Source: the first and second seed (CoreNetKit and NodeKit, "Contexts and observers").
public class Context<Model: Sendable>: ObservableConvertibleType, @unchecked Sendable {
    // A class that can be subclassed has to say so itself. What changes is reached under locks only (law 3).
    @usableFromInline
    struct State {
        @usableFromInline var listeners: ContextListeners<Model>
        @usableFromInline var operation: (any ContextOperation)?
        /// Whether the operation was let go of for good: by a cancel.
        @usableFromInline var isReleased = false
        /// Starts the operation once more, for a retry. It holds no context.
        @usableFromInline var recipe: Recipe<Model>?
        @usableFromInline var journal: Journal?

        @inlinable
        init(listeners: ContextListeners<Model>) {
            self.listeners = listeners
        }
    }

    @usableFromInline final let core: HoldingCore<LatestElement<Outcome<Model>>>
    @usableFromInline final let state: Lock<State>
    /// Whether streams may hold the core: then it has to be told that the context is gone.
    @usableFromInline final let isCoreShared = Atomic<Bool>(false)
    /// Whether listeners are called elsewhere than where an outcome is accepted: by `tell` and `open` of a subclass.
    @usableFromInline final let deliversElsewhere: Bool

    /// Makes a context without an outcome.
    @inlinable
    public init() {
        core = HoldingCore(LatestElement(nil))
        state = Lock(State(listeners: ContextListeners(keepsAll: false)))
        deliversElsewhere = false
    }

    init(keepsAllListeners: Bool, deliversElsewhere: Bool) {
        core = HoldingCore(LatestElement(nil))
        state = Lock(State(listeners: ContextListeners(keepsAll: keepsAllListeners)))
        self.deliversElsewhere = deliversElsewhere
    }

    deinit {
        guard isCoreShared.load(ordering: .acquiring) else { return }
        guard core.entrance.tryEnter() else { return core.entrance.enqueue { [core] in core.stop(with: .completed) } }
        core.stop(with: .completed)
        core.entrance.leave()
    }

    /// Every outcome: the stored one first, then each later one. Never fails; completes when the context is gone.
    public var outcomes: Observable<Outcome<Model>> {
        let core = sharedCore
        return Observable { downstream, lifetime in core.addReplaying(downstream, lifetime) }
    }

    /// The core, for a stream.
    final var sharedCore: HoldingCore<LatestElement<Outcome<Model>>> {
        isCoreShared.store(true, ordering: .releasing)
        return core
    }

    /// Has the listeners called with an outcome, where this context delivers. Inside the core's entrance only.
    @usableFromInline
    func tell(_ outcome: Outcome<Model>, _ version: UInt64) {
        callListeners(outcome, version)
    }

    /// Has a new listener opened, where this context delivers.
    @usableFromInline
    func open(_ listener: ContextListener<Model>, with stored: Outcome<Model>?) {
        listener.open(with: stored)
    }

    /// Whether something that was accepted waits elsewhere for its delivery.
    var hasUndelivered: Bool { false }

    /// A derived context begins to hear this one.
    func join() {}

    /// A derived context hears this one no more, and where `cancelling` wants the operation cancelled.
    func leave(cancelling: Bool) {
        if cancelling { cancel() }
    }
}

/// The name of a context in the seeds, where it is what functions return.
public typealias Observer = Context

extension Context {
    /// Stores `data`, erases a stored error, and calls `onCompleted`'s listener and then `defer`'s. Dropped after a cancel.
    @inlinable
    @discardableResult
    public final func emit(data: Model) -> Self {
        accept(.data(data))
        return self
    }

    /// Stores `error`, erases stored data, and calls `onError`'s listener and then `defer`'s. Dropped after a cancel.
    @inlinable
    @discardableResult
    public final func emit(error: any Error) -> Self {
        accept(.failure(error))
        return self
    }

    /// A context that has its data already.
    @inlinable
    public static func emit(data: Model) -> Context<Model> {
        Context().emit(data: data)
    }

    /// A context that has failed already.
    @inlinable
    public static func emit(error: any Error) -> Context<Model> {
        Context().emit(error: error)
    }

    /// Cancels: stores that, erases a stored outcome, calls `onCancelled`'s listener, drops the others and disposes the operation. Final.
    ///
    /// On a derived context it goes upstream to the operation; from one derived of a multicast context it detaches that branch, and
    /// cancels the operation if that was the last. Does nothing the second time, nor once the operation has ended: it must not erase
    /// a result.
    @discardableResult
    public final func cancel() -> Self {
        guard !hasEnded else { return self }
        accept(.cancelled)
        releaseOperation().operation?.dispose()
        return self
    }

    /// Calls `listener` with the data: at once if some is stored, and each time it is emitted. Replaces the listener before.
    @inlinable
    @discardableResult
    public final func onCompleted(_ listener: @escaping @Sendable (Model) -> Void) -> Self {
        add(ContextListener(.completed) { outcome in outcome.data.map(listener) })
    }

    /// Calls `listener` with the error: at once if one is stored, and each time one is emitted. Replaces the listener before.
    @inlinable
    @discardableResult
    public final func onError(_ listener: @escaping @Sendable (any Error) -> Void) -> Self {
        add(ContextListener(.failed) { outcome in outcome.error.map(listener) })
    }

    /// Calls `listener` when the operation is cancelled: at once if it is. Replaces the listener before.
    @inlinable
    @discardableResult
    public final func onCancelled(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(ContextListener(.cancelled) { _ in listener() })
    }

    /// Calls `listener` after data and after an error, not after a cancel; at once if one of them is stored. Replaces the one before.
    @inlinable
    @discardableResult
    public final func `defer`(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(ContextListener(.deferred) { _ in listener() })
    }

    /// Drops all listeners: they hear nothing more. Operators, `outcomes` and `value` are none.
    @discardableResult
    public final func unsubscribe() -> Self {
        _ = state.withLock { $0.listeners.dropAll() }
        return self
    }
}

extension Context {
    /// Accepts an outcome, unless it was cancelled before, and delivers it at its turn.
    @inlinable
    final func accept(_ outcome: Outcome<Model>) {
        // What the outcome replaces is carried out of the lock, to be released there (law 3).
        let (version, _) = core.state.withLock { state -> (UInt64?, Outcome<Model>?) in
            if case .cancelled = state.held.element { return (nil, nil) }
            state.version &+= 1
            state.heldVersion = state.version
            let replaced = state.held.keep(outcome, at: .zero)
            let isFirst = core.entrance.tryEnter() || enterLater(outcome, state.version)
            return (isFirst ? state.version : nil, replaced)
        }
        guard let version else { return }
        deliver(outcome, version)
        core.entrance.leave()
    }

    @usableFromInline
    final func enterLater(_ outcome: Outcome<Model>, _ version: UInt64) -> Bool {
        core.entrance.enter(orEnqueue: { [self] in deliver(outcome, version) })
    }

    /// Calls the listeners, in the order of their kinds, and then the streams.
    @inlinable
    final func deliver(_ outcome: Outcome<Model>, _ version: UInt64) {
        if deliversElsewhere { tell(outcome, version) } else { callListeners(outcome, version) }
        core.deliver(.next(outcome))
    }

    @inlinable
    final func callListeners(_ outcome: Outcome<Model>, _ version: UInt64) {
        for entry in state.withLock({ $0.listeners.entries }) where entry.since < version {
            entry.listener.receive(outcome)
        }
        if outcome.isCancelled { _ = state.withLock { $0.listeners.takeAll() } }
    }

    /// Registers a listener: it hears the stored outcome before this returns, and then what is accepted later.
    @inlinable
    final func add(_ listener: ContextListener<Model>) -> Self {
        _ = listener.opening.tryEnter()
        let (stored, _) = core.state.withLock { held -> (Outcome<Model>?, ContextListener<Model>?) in
            let stored = held.held.element
            guard stored?.isCancelled != true else { return (stored, nil) }
            return (stored, state.withLock { $0.listeners.add(listener, since: held.version) })
        }
        if deliversElsewhere { open(listener, with: stored) } else { listener.open(with: stored) }
        return self
    }
}

extension Context {
    /// Ties an operation to this context: `cancel()` disposes it.
    final func attach(_ operation: any ContextOperation) {
        let isLate = state.withLock { state -> Bool in
            if !state.isReleased { state.operation = operation }
            return state.isReleased
        }
        if isLate { operation.dispose() }
    }

    /// Whether nothing more comes of the operation. A context without one is over only when it was cancelled.
    final var hasEnded: Bool {
        let (operation, isReleased) = state.withLock { ($0.operation, $0.isReleased) }
        if isReleased { return true }
        guard let operation, operation.hasEnded else { return false }
        return !hasUndelivered
    }

    /// Takes a cancel that came from upstream: there is nothing left to be cancelled there.
    final func acceptCancelFromUpstream() {
        accept(.cancelled)
        releaseOperation().operation?.abandon()
    }

    /// How to start the operation once more; nil where somebody feeds the context by hand.
    final var recipe: Recipe<Model>? {
        get { state.withLock { $0.recipe } }
        set { state.withLock { $0.recipe = newValue } }
    }

    /// The log of this context; made when somebody asks for it.
    final var journal: Journal {
        state.withLock { state in
            let journal = state.journal ?? Journal()
            state.journal = journal
            return journal
        }
    }

    final var existingJournal: Journal? {
        state.withLock { $0.journal }
    }

    /// Takes out what a cancelled context needs no more, to be released without the lock.
    private final func releaseOperation() -> (operation: (any ContextOperation)?, recipe: Recipe<Model>?) {
        state.withLock { state in
            state.isReleased = true
            return (state.operation.take(), state.recipe.take())
        }
    }
}
