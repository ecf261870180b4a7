import Schedulers

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
/// Who may still emit holds the context. Dropping all references cancels nothing.
/// Source: the first and second seed (CoreNetKit and NodeKit, "Contexts and observers").
public class Context<Model: Sendable>: ObservableConvertibleType, @unchecked Sendable {
    // Law 2: the listeners are used only inside the core's entrance.
    let core = HoldingCore(LatestElement<Outcome<Model>>(nil))
    private var listeners: ContextListeners<Model>
    private let operation = Operation()

    /// Makes a context without an outcome.
    public convenience init() {
        self.init(keepsAllListeners: false)
    }

    init(keepsAllListeners: Bool) {
        listeners = ContextListeners(keepsAll: keepsAllListeners)
    }

    deinit {
        core.entrance.enqueue { [core] in core.stop(with: .completed) }
    }

    /// Stores `data`, erases a stored error, and calls `onCompleted`'s listener and then `defer`'s. Dropped after a cancel.
    @discardableResult
    public func emit(data: Model) -> Self {
        accept(.data(data))
        return self
    }

    /// Stores `error`, erases stored data, and calls `onError`'s listener and then `defer`'s. Dropped after a cancel.
    @discardableResult
    public func emit(error: any Error) -> Self {
        accept(.failure(error))
        return self
    }

    /// Cancels: disposes the operation behind this context, stores that, and calls `onCancelled`'s listener. Final.
    ///
    /// Does nothing the second time, nor once the operation has ended: it must not erase a result.
    @discardableResult
    public func cancel() -> Self {
        guard !operation.hasEnded else { return self }
        accept(.cancelled)
        operation.cancel()
        return self
    }

    /// Calls `listener` with the data: at once if some is stored, and each time it is emitted. Replaces the listener before.
    @discardableResult
    public func onCompleted(_ listener: @escaping @Sendable (Model) -> Void) -> Self {
        add(ContextListener(.completed) { outcome in outcome.data.map(listener) })
    }

    /// Calls `listener` with the error: at once if one is stored, and each time one is emitted. Replaces the listener before.
    @discardableResult
    public func onError(_ listener: @escaping @Sendable (any Error) -> Void) -> Self {
        add(ContextListener(.failed) { outcome in outcome.error.map(listener) })
    }

    /// Calls `listener` when the operation is cancelled: at once if it is. Replaces the listener before.
    @discardableResult
    public func onCancelled(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(ContextListener(.cancelled) { _ in listener() })
    }

    /// Calls `listener` after data and after an error, not after a cancel; at once if one of them is stored. Replaces the one before.
    @discardableResult
    public func `defer`(_ listener: @escaping @Sendable () -> Void) -> Self {
        add(ContextListener(.deferred) { _ in listener() })
    }

    /// Drops all listeners. Operators, `outcomes` and `value` are none.
    @discardableResult
    public func unsubscribe() -> Self {
        core.entrance.enqueue { [self] in listeners.drop { _ in true } }
        return self
    }

    /// A context that has its data already.
    public static func emit(data: Model) -> Context<Model> {
        Context().emit(data: data)
    }

    /// A context that has failed already.
    public static func emit(error: any Error) -> Context<Model> {
        Context().emit(error: error)
    }

    /// Registers a listener: replays the stored outcome to it before this returns, and then what is accepted later.
    private func add(_ listener: ContextListener<Model>) -> Self {
        _ = listener.opening.tryEnter()
        let (stored, isFirst) = core.state.withLock { state in
            (state.held.element, core.entrance.enter(orEnqueue: { [self] in listeners.add(listener) }))
        }
        if isFirst {
            listeners.add(listener)
            core.entrance.leave()
        }
        if let stored { listener.replay(stored) }
        listener.opening.leave()
        return self
    }

    /// Accepts an outcome, unless it was cancelled before, and delivers it at its turn.
    func accept(_ outcome: Outcome<Model>) {
        let (isFirst, _) = core.state.withLock { state -> (Bool, Outcome<Model>?) in
            if case .cancelled = state.held.element { return (false, nil) }
            state.version &+= 1
            state.heldVersion = state.version
            let dropped = state.held.keep(outcome, at: .zero)
            return (core.entrance.enter(orEnqueue: { [self] in deliver(outcome) }), dropped)
        }
        guard isFirst else { return }
        deliver(outcome)
        core.entrance.leave()
    }

    /// Calls the listeners, in the order of their kinds, and then the streams.
    private func deliver(_ outcome: Outcome<Model>) {
        for listener in listeners.current {
            listener.receive(outcome)
        }
        if outcome.isCancelled { listeners.drop { _ in true } }
        core.deliver(.next(outcome))
    }

    /// Ties an operation to this context: `cancel()` disposes it.
    func attach(_ handle: any Disposable) {
        operation.begin(handle)
    }

    /// Says that the operation has ended by itself: from now on `cancel()` does nothing.
    func operationEnded() {
        operation.end()
    }
}

/// The name of a context in the seeds, where it is what functions return.
public typealias Observer = Context

/// The operation behind a context.
private final class Operation: Sendable {
    private enum State {
        case none
        case running(any Disposable)
        case ended
        case cancelled
    }

    private let state = Lock(State.none)

    var hasEnded: Bool {
        state.withLock { if case .ended = $0 { true } else { false } }
    }

    func begin(_ handle: any Disposable) {
        let isLate = state.withLock { state -> Bool in
            switch state {
            case .cancelled: return true
            case .ended: return false
            case .none, .running:
                state = .running(handle)
                return false
            }
        }
        if isLate { handle.dispose() }
    }

    func end() {
        change(to: .ended)
    }

    func cancel() {
        change(to: .cancelled)?.dispose()
    }

    /// Changes a state that is not final and gives the handle that was held, to be released or disposed without the lock.
    @discardableResult
    private func change(to next: State) -> (any Disposable)? {
        state.withLock { state in
            switch state {
            case .ended, .cancelled: return nil
            case .none:
                state = next
                return nil
            case .running(let handle):
                state = next
                return handle
            }
        }
    }
}
