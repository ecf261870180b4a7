/// Contains one disposable at a time: setting the next disposes the previous one.
///
/// A disposable set after the disposal is disposed immediately.
public final class SerialDisposable: DisposableGroup {
    private enum State {
        case holding((any Disposable)?)
        case disposed
    }

    private let state = Lock(State.holding(nil))
    private let mark = Resources.Mark("SerialDisposable")

    /// Creates an empty disposable.
    public init() {}

    /// Whether this has been disposed.
    public var isDisposed: Bool {
        state.withLock { if case .disposed = $0 { true } else { false } }
    }

    /// The current disposable; `nil` before the first and after the disposal.
    public var disposable: (any Disposable)? {
        get {
            state.withLock { if case .holding(let held) = $0 { held } else { nil } }
        }
        set {
            let dropped = state.withLock { state -> (any Disposable)? in
                guard case .holding(let held) = state else { return newValue }
                state = .holding(newValue)
                return held
            }
            dropped?.dispose()
        }
    }

    public func dispose() {
        Disposables.dispose(takeMembers())
    }

    func takeMembers() -> [any Disposable] {
        let held = state.withLock { state -> (any Disposable)? in
            guard case .holding(let held) = state else { return nil }
            state = .disposed
            return held
        }
        return held.map { [$0] } ?? []
    }
}

/// Contains one disposable that is set once, possibly after the disposal.
///
/// - Precondition: `setDisposable` is called at most once.
public final class SingleAssignmentDisposable: DisposableGroup {
    private enum State {
        case empty
        case holding(any Disposable)
        case disposed(assigned: Bool)
    }

    private let state = Lock(State.empty)
    private let mark = Resources.Mark("SingleAssignmentDisposable")

    /// Creates an empty disposable.
    public init() {}

    /// Whether this has been disposed.
    public var isDisposed: Bool {
        state.withLock { if case .disposed = $0 { true } else { false } }
    }

    /// Sets the disposable; disposes it immediately if this has been disposed. Call it once only.
    public func setDisposable(_ disposable: any Disposable) {
        let isLate = state.withLock { state -> Bool in
            switch state {
            case .empty:
                state = .holding(disposable)
                return false
            case .disposed(assigned: false):
                state = .disposed(assigned: true)
                return true
            case .holding, .disposed:
                preconditionFailure("SingleAssignmentDisposable was assigned twice")
            }
        }
        if isLate { disposable.dispose() }
    }

    public func dispose() {
        Disposables.dispose(takeMembers())
    }

    func takeMembers() -> [any Disposable] {
        let held = state.withLock { state -> (any Disposable)? in
            switch state {
            case .empty:
                state = .disposed(assigned: false)
                return nil
            case .holding(let held):
                state = .disposed(assigned: true)
                return held
            case .disposed:
                return nil
            }
        }
        return held.map { [$0] } ?? []
    }
}
