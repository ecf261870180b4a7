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
    /// Whether a new listener leaves those of its kind in place, and a derived context that is cancelled leaves the others.
    @usableFromInline final let isMulticast: Bool
    /// How listeners and streams are called, if not where an outcome is accepted.
    @usableFromInline final let delivery: Delivery?
    /// How many derived contexts are subscribed.
    @usableFromInline final let branches = Atomic<Int>(0)
    /// Whether streams may subscribe to the core: then it has to be told that the context is gone.
    @usableFromInline final let isCoreShared = Atomic<Bool>(false)
    /// Whether nothing retains this for the outcomes of the context that it only forwards.
    @usableFromInline final let isDetached = Atomic<Bool>(false)

    @inlinable init(isMulticast: Bool = false, delivery: Delivery? = nil) {
        self.isMulticast = isMulticast
        self.delivery = delivery
    }

    deinit {
        if isDetached.load(ordering: .acquiring) { takeOperation()?.end(cancelling: false) }
        if isCoreShared.load(ordering: .acquiring) { core.serializer.enqueue { [core] in core.stop(with: .completed) } }
    }
}

/// What a context has beside its outcome. Not generic, so that releasing it asks the runtime for no type.
@usableFromInline struct ContextState {
    @usableFromInline var listeners = ContextListeners()
    var operation: ContextOperation?
    /// Whether it was cancelled, and needs neither the operation nor listeners any more.
    @usableFromInline var isReleased = false
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
        add(.completed) { if case .next(.data(let model)?) = $0 { listener(model) } }
    }

    /// Calls `listener` when there is data: `onCompleted(_:)` for one who does not need it.
    @_disfavoredOverload @discardableResult public final func onCompleted(_ listener: @escaping @Sendable () -> Void) -> Self {
        onCompleted { (_: Model) in listener() }
    }

    /// Calls `listener` with the error: at once if one is stored, and each time one is emitted. Replaces the listener before.
    @inlinable @discardableResult public final func onError(_ listener: @escaping @Sendable (any Error) -> Void) -> Self {
        add(.failed) { if case .next(.failure(let error)?) = $0 { listener(error) } }
    }

    /// Calls `listener` when there is an error: `onError(_:)` for one who does not need it.
    @discardableResult public final func onError(_ listener: @escaping @Sendable () -> Void) -> Self {
        onError { (_: any Error) in listener() }
    }

    /// Calls `listener` when the operation is cancelled: at once if it is. Replaces the listener before.
    @inlinable @discardableResult public final func onCancelled(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.cancelled) { if case .next(.cancelled?) = $0 { listener() } }
    }

    /// Calls `listener` after data and after an error, not after a cancel; at once if one of them is stored. Replaces the one before.
    @inlinable @discardableResult public final func `defer`(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.deferred) { if case .next(let outcome?) = $0, !outcome.isCancelled { listener() } }
    }

    /// Drops all listeners, at once. Operators, `outcomes` and `value` are none.
    @discardableResult public final func unsubscribe() -> Self {
        for slot in state.withLock({ $0.listeners.takeAll() }) { drop(slot) }
        return self
    }
}

extension Observer {
    /// Accepts an outcome, or nil to erase the stored one, unless it was cancelled before, and delivers it at its turn.
    @inlinable final func accept(_ outcome: Outcome<Model>?) {
        delivery?.announce()
        core.accept(.next(outcome))
    }

    /// Cancels this context, and ends the operation behind it.
    final func end(cancelling: Bool) {
        delivery?.cancel()
        accept(.cancelled)
        takeOperation()?.end(cancelling: cancelling)
        core.serializer.enqueue { [self] in
            for slot in state.withLock({ $0.listeners.takeAll() }) { remove(slot) }
        }
    }

    /// Takes out the operation, which a cancelled context needs no more.
    private final func takeOperation() -> ContextOperation? {
        state.withLock { state in
            state.isReleased = true
            return state.operation.take()
        }
    }

    /// Registers a listener: it hears the stored outcome before this returns, and then what is accepted later.
    @inlinable final func add(
        _ kind: ContextListeners.Kind, _ listener: @escaping @Sendable (consuming Event<Outcome<Model>?>) -> Void
    ) -> Self {
        let observer = AnyObserver(listener)
        let slot = SubjectSlot(delivery?.delivering(observer, nil) ?? observer, core: nil, parent: nil, rank: kind.rawValue)
        let (replaced, isReleased) = state.withLock { state in
            state.isReleased ? (nil, true) : (state.listeners.add(slot, kind, keepsAll: isMulticast), false)
        }
        if let replaced { drop(replaced) }
        core.open(slot)
        if isReleased { drop(slot) }
        if isDetached.load(ordering: .acquiring) { reattach() }
        return self
    }

    /// Drops a listener: it hears nothing more, and leaves the list at its turn.
    @usableFromInline final func drop(_ slot: LifetimeMember) {
        slot.close()
        core.serializer.enqueue { [self] in remove(slot) }
    }

    private final func remove(_ slot: LifetimeMember) {
        core.observers.remove(unsafeDowncast(slot, to: AnySubjectSlot.self))
    }

    /// Everything that happens in this context, called where it delivers.
    final var events: Observable<Outcome<Model>?> {
        isCoreShared.store(true, ordering: .releasing)
        if isDetached.load(ordering: .acquiring) { reattach() }
        return Observable { [core, delivery] downstream, lifetime in
            core.addReplaying(delivery?.delivering(downstream, lifetime) ?? downstream, lifetime)
        }
    }
}

extension Observer {
    /// What happened last: an outcome, or nil where the stored one was erased.
    final var latest: Outcome<Model>?? {
        core.state.withLock { $0.held.event }
    }

    /// Whether nothing more comes of the operation. A context without one has ended only when it was cancelled.
    final var hasEnded: Bool {
        let (operation, isReleased) = state.withLock { ($0.operation, $0.isReleased) }
        guard !isReleased, let operation else { return isReleased }
        guard operation.lifetime.isDisposed || operation.haveSourcesEnded && latest != nil else { return false }
        return delivery?.isIdle != false
    }

    final func join() {
        branches.add(1, ordering: .relaxed)
    }

    final func leave(cancelling: Bool) {
        let isLast = branches.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
        if cancelling, isLast || !isMulticast { cancel() }
    }
}
