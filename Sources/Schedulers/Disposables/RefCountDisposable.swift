/// Disposes the underlying disposable when this **and** every handle returned by `retain()` have been disposed.
public final class RefCountDisposable: DisposableGroup {
    private struct State {
        var held: (any Disposable)?
        var handles = 0
        var isPrimaryDisposed = false

        /// Takes the underlying disposable if nothing needs it any more.
        mutating func takeIfUnused() -> (any Disposable)? {
            isPrimaryDisposed && handles == 0 ? held.take() : nil
        }
    }

    private let state: Lock<State>
    private let mark = Resources.Mark("RefCountDisposable")

    /// Creates a reference count of `disposable`.
    public init(_ disposable: any Disposable) {
        state = Lock(State(held: disposable))
    }

    /// Whether the underlying disposable has been disposed.
    public var isDisposed: Bool {
        state.withLock { $0.held == nil }
    }

    /// Returns a handle that keeps the underlying disposable alive until the handle is disposed. If the underlying disposable has been
    /// disposed already, the handle does nothing.
    public func retain() -> any Disposable {
        let isAlive = state.withLock { state -> Bool in
            guard state.held != nil else { return false }
            state.handles += 1
            return true
        }
        return isAlive ? Disposables.create { [self] in release() } : Disposables.create()
    }

    private func release() {
        state.withLock { state -> (any Disposable)? in
            state.handles -= 1
            return state.takeIfUnused()
        }?.dispose()
    }

    public func dispose() {
        Disposables.dispose(takeMembers())
    }

    func takeMembers() -> [any Disposable] {
        let held = state.withLock { state -> (any Disposable)? in
            state.isPrimaryDisposed = true
            return state.takeIfUnused()
        }
        return held.map { [$0] } ?? []
    }
}
