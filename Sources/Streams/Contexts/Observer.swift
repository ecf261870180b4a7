import Schedulers
import Synchronization

/// The handle of one operation in progress, usually a request: it holds at most one outcome, and replays it to whoever listens later.
///
/// ```swift
/// service.users().onMain()
///     .onCompleted { [weak self] users in self?.show(users) }
///     .onError { [weak self] error in self?.show(error) }
/// ```
///
/// In the general stream model it is a replaying single-value subject of outcomes: a new outcome replaces the old one, so an error may be
/// followed by data and data by an error. One listener a kind: a second registration replaces the first. Usable from any thread;
/// outcomes are delivered one at a time in the order in which they were accepted (law 2), with no lock held.
///
/// It cannot emit: a function returns an observer, and who runs the operation holds a ``Context``. Who may still emit retains the context,
/// and a context what was derived from it. Dropping all references cancels nothing.
/// Source: the first and second seed (CoreNetKit and NodeKit, "Contexts and observers").
public class Observer<Model: Sendable>: ObservableConvertibleType, AnyContext, @unchecked Sendable {
    // A class that can be subclassed has to say so itself. What changes is reached under locks only (law 3).
    @usableFromInline final let core = ReplayCore(LatestOutcome<Model>())
    @usableFromInline final let state = Lock(ContextState())
    /// Whether a new listener leaves those of its kind in place.
    @usableFromInline final let keepsAllListeners: Bool
    /// How listeners and streams are called, if not where an outcome is accepted.
    @usableFromInline final let delivery: Delivery?
    /// Whether streams may subscribe to the core: then it has to be told that the context is gone.
    @usableFromInline final let isCoreShared = Atomic<Bool>(false)
    /// Whether nothing retains this for the outcomes of the context that it only forwards.
    @usableFromInline final let isDetached = Atomic<Bool>(false)

    @inlinable init(keepsAllListeners: Bool = false, delivery: Delivery? = nil) {
        self.keepsAllListeners = keepsAllListeners
        self.delivery = delivery
    }

    deinit {
        if isCoreShared.load(ordering: .acquiring) || isDetached.load(ordering: .acquiring) { stop() }
    }

    private final func stop() {
        if isDetached.load(ordering: .acquiring) { release()?.end(cancelling: false) }
        core.serializer.enqueue { [core] in core.stop(with: .completed) }
    }

    func join() {}

    func leave(cancelling: Bool) {
        if cancelling { cancel() }
    }
}

/// What a context has beside its outcome. Not generic, so that releasing it asks the runtime for no type.
@usableFromInline struct ContextState {
    @usableFromInline var listeners = ContextListeners()
    var operation: ContextOperation?
    /// Whether it was cancelled, and needs neither the operation nor listeners any more.
    @usableFromInline var isReleased = false
    /// Starts the operation once more, for a retry. It holds no context.
    var recipe: AnyRecipe?
    var journal: Journal?

    @usableFromInline init() {}
}

extension Observer {
    /// A context that has its data already.
    @inlinable public static func emit(data: Model) -> Context<Model> {
        Context().emit(data: data)
    }

    /// A context that has failed already.
    @inlinable public static func emit(error: any Error) -> Context<Model> {
        Context().emit(error: error)
    }

    /// Cancels: stores that, erases a stored outcome, calls `onCancelled`'s listener, drops the others and disposes the operation. Final.
    ///
    /// On a derived context it goes upstream to the operation; from one derived of a multicast context it detaches that branch, and
    /// cancels the operation if that was the last. Does nothing the second time, nor once the operation has ended: it must not erase
    /// a result.
    @discardableResult public final func cancel() -> Self {
        if !hasEnded { end(cancelling: true) }
        return self
    }

    /// Calls `listener` with the data: at once if some is stored, and each time it is emitted. Replaces the listener before.
    @inlinable @discardableResult public final func onCompleted(_ listener: @escaping @Sendable (Model) -> Void) -> Self {
        add(.completed(listener))
    }

    /// Calls `listener` when there is data: `onCompleted(_:)` for one who does not need it.
    @_disfavoredOverload @discardableResult public final func onCompleted(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.completed { _ in listener() })
    }

    /// Calls `listener` with the error: at once if one is stored, and each time one is emitted. Replaces the listener before.
    @inlinable @discardableResult public final func onError(_ listener: @escaping @Sendable (any Error) -> Void) -> Self {
        add(.failed(listener))
    }

    /// Calls `listener` when there is an error: `onError(_:)` for one who does not need it.
    @discardableResult public final func onError(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.failed { _ in listener() })
    }

    /// Calls `listener` when the operation is cancelled: at once if it is. Replaces the listener before.
    @inlinable @discardableResult public final func onCancelled(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.cancelled(listener))
    }

    /// Calls `listener` after data and after an error, not after a cancel; at once if one of them is stored. Replaces the one before.
    @inlinable @discardableResult public final func `defer`(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.deferred(listener))
    }

    /// Drops all listeners, at once. Operators, `outcomes` and `value` are none.
    @discardableResult public final func unsubscribe() -> Self {
        let entries = state.withLock { $0.listeners.takeAll() }
        for entry in entries { drop(entry) }
        return self
    }
}

extension Observer {
    /// Accepts an event, unless it was cancelled before, and delivers it at its turn.
    @inlinable final func accept(_ event: ContextEvent<Model>) {
        delivery?.announce()
        core.accept(.next(event))
    }

    /// Cancels this context, and ends the operation behind it.
    final func end(cancelling: Bool) {
        delivery?.cancel()
        accept(.outcome(.cancelled))
        release()?.end(cancelling: cancelling)
        core.serializer.enqueue { [self] in
            for entry in state.withLock({ $0.listeners.takeAll() }) {
                core.observers.remove(unsafeDowncast(entry.slot, to: SubjectSlot<ContextEvent<Model>>.self))
            }
        }
    }

    /// Takes out what a cancelled context needs no more, to be released without the lock.
    private final func release() -> ContextOperation? {
        let released = state.withLock { state in
            state.isReleased = true
            return (operation: state.operation.take(), recipe: state.recipe.take())
        }
        return released.operation
    }

    /// Registers a listener: it hears the stored outcome before this returns, and then what is accepted later.
    @inlinable final func add(_ call: ContextListener<Model>.Call) -> Self {
        let listener = ContextListener(call)
        var observer = AnyObserver<ContextEvent<Model>> { event in listener.receive(event) }
        if let delivery { observer = delivery.delivering(observer, nil) }
        let slot = SubjectSlot(observer, core: nil, parent: nil, rank: call.rank)
        let entry = ContextListeners.Entry(listener: listener, slot: slot)
        let (replaced, isReleased) = state.withLock { state in
            state.isReleased ? (nil, true) : (state.listeners.add(entry, rank: call.rank, keepsAll: keepsAllListeners), false)
        }
        if let replaced { drop(replaced) }
        core.open(slot)
        if isReleased { drop(entry) }
        if isDetached.load(ordering: .acquiring) { reattach() }
        return self
    }

    /// Drops a listener: it hears nothing more, and leaves the list at its turn.
    @usableFromInline final func drop(_ entry: ContextListeners.Entry) {
        entry.listener.drop()
        core.serializer.enqueue { [core] in core.observers.remove(unsafeDowncast(entry.slot, to: SubjectSlot<ContextEvent<Model>>.self)) }
    }

    /// Everything that happens in this context, called where it delivers.
    final var events: Observable<ContextEvent<Model>> {
        isCoreShared.store(true, ordering: .releasing)
        if isDetached.load(ordering: .acquiring) { reattach() }
        return Observable { [core, delivery] downstream, lifetime in
            core.addReplaying(delivery?.delivering(downstream, lifetime) ?? downstream, lifetime)
        }
    }
}

extension Observer {
    /// Ties an operation to this context: `cancel()` ends it.
    final func attach(_ operation: ContextOperation) {
        let isLate = state.withLock { state -> Bool in
            if !state.isReleased { state.operation = operation }
            return state.isReleased
        }
        if isLate { operation.end(cancelling: true) }
    }

    /// Whether nothing more comes of the operation. A context without one has ended only when it was cancelled.
    final var hasEnded: Bool {
        let (operation, isReleased) = state.withLock { ($0.operation, $0.isReleased) }
        guard !isReleased, let operation else { return isReleased }
        return operation.hasEnded && delivery?.isIdle != false
    }

    /// How to start the operation once more; nil where somebody feeds the context by hand.
    final var recipe: Recipe<Model>? {
        get { state.withLock { $0.recipe }.map { unsafeDowncast($0, to: BoxedRecipe<Model>.self).start } }
        set { state.withLock { [box = newValue.map(BoxedRecipe.init)] in $0.recipe = box } }
    }

    /// Has the operation retain this no more, if it only forwards outcomes and nobody is subscribed to them: who holds it still gets them.
    final func detachIfUnused() {
        core.serializer.enqueue { [self] in
            guard core.observers.isEmpty, core.isForwarding() else { return }
            state.withLock { $0.operation }?.retain(nil) { isDetached.store(true, ordering: .releasing) }
            // Who subscribed meanwhile, before it could see that, has its turn before this.
            core.serializer.enqueue { [self] in if !core.observers.isEmpty { reattach() } }
        }
    }

    /// Has the operation retain this again: somebody subscribes.
    @usableFromInline final func reattach() {
        state.withLock { $0.operation }?.retain(self) { isDetached.store(false, ordering: .releasing) }
    }
}
