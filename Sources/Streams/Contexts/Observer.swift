import Schedulers
import Synchronization

/// The handle of one operation in progress, usually a request. It stores at most one outcome, and replays it to later listeners.
///
/// ```swift
/// service.users().onMain()
///     .onCompleted { [weak self] users in self?.show(users) }
///     .onError { [weak self] error in self?.show(error) }
/// ```
///
/// In terms of the stream model it is a replaying subject of outcomes with a buffer of one: a new outcome replaces the stored one, so an
/// error may be followed by data and data by an error. There is one listener of each kind: a second registration replaces the first.
/// Thread-safe; outcomes are delivered serially, in the order in which they were accepted (law 2), with no lock held.
///
/// An observer cannot emit: a function returns an observer, and the code that runs the operation holds a ``Context``. A source that may
/// still emit retains the context, and a context retains those derived from it. Releasing all references does not cancel the operation.
///
/// Source: the documentation of CoreNetKit and NodeKit, "Contexts and observers".
public class Observer<Model: Sendable>: ObservableConvertibleType, AnyContext, @unchecked Sendable {
    // `Sendable` is unchecked because the class can be subclassed: mutable state is accessed under locks only (law 3).
    @usableFromInline final let core = ContextCore<Model>()
    @usableFromInline final let state: Lock<ContextState>
    /// Whether a new listener keeps the others of its kind, and a cancelled derived context does not affect the others.
    @usableFromInline final let isMulticast: Bool
    /// The scheduler on which listeners and streams are called; `nil` means the place where an outcome is accepted.
    @usableFromInline final let delivery: Delivery?
    /// The number of subscribed derived contexts.
    @usableFromInline final let branches = Atomic<Int>(0)
    /// Whether streams may subscribe to the core, which must then be informed of the context's deinitialization.
    @usableFromInline final let isCoreShared = Atomic<Bool>(false)

    @inlinable init(isMulticast: Bool = false, delivery: Delivery? = nil, state: sending ContextState = ContextState()) {
        self.isMulticast = isMulticast
        self.delivery = delivery
        self.state = Lock(state)
        if Probe.seesCreation { showInInspector() }
    }

    /// Creates a context that has ended with `outcome`, with the log of an operation.
    @inlinable convenience init(_ outcome: Outcome<Model>?, journal: Journal? = nil) {
        var state = ContextState()
        state.isFinal = true
        state.journal = journal
        self.init(state: state)
        core.accept(outcome)
    }

    deinit {
        // Upstream released this context although it has not terminated: it is not cancelled.
        if let operation = takeOperation(), operation.isForwarding { operation.end(cancelling: false) }
        guard isCoreShared.load(ordering: .acquiring) else { return }
        NestedSteps.run { [core] in core.serializer.enqueue { core.stop(with: .completed) } }
    }
}

/// The state of a context besides its outcome. The type is not generic, so releasing it requires no type metadata from the runtime.
@usableFromInline struct ContextState {
    @usableFromInline var operation: ContextOperation?
    /// Whether the outcome is final: the context was cancelled, or made with its outcome.
    @usableFromInline var isFinal = false
    @usableFromInline var journal: Journal?

    @usableFromInline init() {}
}

extension Observer {
    /// Creates a context that has completed with data. Cancelling it has no effect.
    @inlinable public static func emit(data: Model) -> Context<Model> {
        Context(.data(data))
    }

    /// Creates a context that has failed. Cancelling it has no effect.
    @inlinable public static func emit(error: any Error) -> Context<Model> {
        Context(.failure(error))
    }

    /// Cancels the operation, which is final. It records the cancellation, erases a stored outcome, calls the listener of `onCancelled`,
    /// removes the other listeners and disposes the operation.
    ///
    /// On a derived context the cancellation is forwarded upstream to the operation. On a context derived from a multicast context it
    /// detaches that branch, and cancels the operation if that was the last branch. A second call has no effect, nor has one after the
    /// operation has terminated: it must not erase a result.
    @discardableResult public final func cancel() -> Self {
        if !hasEnded { end(cancelling: true) }
        return self
    }

    /// Registers a listener for data. It is called immediately if data is stored, and whenever data is emitted. Replaces the previous
    /// listener.
    @inlinable @discardableResult public final func onCompleted(_ listener: @escaping @Sendable (Model) -> Void) -> Self {
        add(.completed) { if case .data(let model) = $0 { listener(model) } }
    }

    /// Registers a listener for data that does not use it; see `onCompleted(_:)`.
    @_disfavoredOverload @discardableResult public final func onCompleted(_ listener: @escaping @Sendable () -> Void) -> Self {
        onCompleted { (_: Model) in listener() }
    }

    /// Registers a listener for errors. It is called immediately if an error is stored, and whenever one is emitted. Replaces the previous
    /// listener.
    @inlinable @discardableResult public final func onError(_ listener: @escaping @Sendable (any Error) -> Void) -> Self {
        add(.failed) { if case .failure(let error) = $0 { listener(error) } }
    }

    /// Registers a listener for errors that does not use them; see `onError(_:)`.
    @discardableResult public final func onError(_ listener: @escaping @Sendable () -> Void) -> Self {
        onError { (_: any Error) in listener() }
    }

    /// Registers a listener for the cancellation. It is called immediately if the operation has been cancelled. Replaces the previous
    /// listener.
    @inlinable @discardableResult public final func onCancelled(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.cancelled) { if $0.isCancelled { listener() } }
    }

    /// Registers a listener that is called after data and after an error, but not after a cancellation. It is called immediately if data or
    /// an error is stored. Replaces the previous listener.
    @inlinable @discardableResult public final func `defer`(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(.deferred) { if !$0.isCancelled { listener() } }
    }

    /// Removes all listeners immediately. Operators, `outcomes` and `value` are not listeners.
    @discardableResult public final func unsubscribe() -> Self {
        core.removeListeners()
        return self
    }
}

extension Observer {
    /// Cancels this context, and disposes the operation.
    @usableFromInline final func end(cancelling: Bool) {
        delivery?.cancel()
        core.acceptStep(.cancelled)
        takeOperation()?.end(cancelling: cancelling)
    }

    /// Removes and returns the operation, which a cancelled context no longer requires.
    private final func takeOperation() -> ContextOperation? {
        state.withLock { state in
            state.isFinal = true
            return state.operation.take()
        }
    }

    /// Registers a listener, which receives the stored outcome before this method returns, and then the outcomes that are accepted later.
    @inlinable final func add(
        _ kind: ListenerKind, _ handler: @escaping @Sendable (Outcome<Model>) -> Void
    ) -> Self {
        core.register(ContextListener(kind, delivery, handler), keepsAll: isMulticast)
        updateRetention()
        return self
    }

    /// The events of this context, delivered where the context delivers.
    @inlinable final var events: Observable<Outcome<Model>?> {
        shareCore()
        return Observable { [core, delivery] downstream, lifetime in
            core.addReplaying(delivery?.delivering(downstream, lifetime) ?? downstream, lifetime)
        }
    }

    /// Prepares the core for a subscription to the events.
    @inlinable final func shareCore() {
        isCoreShared.store(true, ordering: .releasing)
        updateRetention(forSubscriber: true)
    }

    @inlinable final func subscribe(_ downstream: AnyObserver<Outcome<Model>?>, _ lifetime: Lifetime) {
        core.addReplaying(delivery?.delivering(downstream, lifetime) ?? downstream, lifetime)
    }
}

extension Observer {
    /// The latest event: an outcome, or `nil` where the stored one was erased.
    @inlinable final var latest: Outcome<Model>?? {
        core.latest()
    }

    /// The contexts that have to end before the operation emits nothing more; `nil` if their end is not enough. A context without an
    /// operation ends only when it is cancelled.
    @usableFromInline final var awaited: [any AnyContext]? {
        let (operation, isFinal) = state.withLock { ($0.operation, $0.isFinal) }
        guard !isFinal else { return [] }
        guard let operation, delivery?.isIdle != false else { return nil }
        guard !operation.lifetime.isDisposed else { return [] }
        return latest == nil ? nil : operation.sources
    }

    @usableFromInline final func join() {
        branches.add(1, ordering: .relaxed)
    }

    @usableFromInline final func leave(cancelling: Bool) {
        let isLast = branches.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
        if cancelling, isLast || !isMulticast { NestedSteps.run { [self] in cancel() } }
    }
}
