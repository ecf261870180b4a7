/// Holds the action that is planned now, of actions that each plan the next when they run.
///
/// The one before has run when the next is planned, so it is dropped and not disposed. On another thread an action may run, and plan the
/// next, before the call that planned it has returned: its number tells that it is over.
@usableFromInline
package final class PlannedAction: Disposable {
    private struct State {
        var number = 0
        var action: (any Disposable)?
        var isDisposed = false
    }

    private let state = Lock(State())

    @usableFromInline
    package init() {}

    /// Whether it was disposed: nothing is planned any more.
    package var isDisposed: Bool {
        state.withLock { $0.isDisposed }
    }

    /// Plans the next action, which `schedule` schedules; does nothing after the disposal.
    @usableFromInline
    package func plan(_ schedule: () -> any Disposable) {
        let number = state.withLock { state in
            state.number += 1
            return state.isDisposed ? nil : state.number
        }
        guard let number else { return }
        let action = schedule()
        // What is over is handed out of the lock, to be released there (law 3).
        let (over, isDisposed) = state.withLock { state -> ((any Disposable)?, Bool) in
            guard !state.isDisposed else { return (action, true) }
            guard state.number == number else { return (nil, false) }
            defer { state.action = action }
            return (state.action, false)
        }
        if isDisposed { over?.dispose() }
    }

    @usableFromInline
    package func dispose() {
        state.withLock { state in
            state.isDisposed = true
            return state.action.take()
        }?.dispose()
    }
}
