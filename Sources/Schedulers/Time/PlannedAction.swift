/// The pending one of a sequence of actions, each of which schedules the next when it runs.
///
/// An action has run when the next is scheduled, so it is dropped rather than disposed. On another thread an action may run, and schedule
/// the next, before the call that scheduled it has returned: its number tells that it is outdated.
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

    /// Whether it has been disposed: nothing is scheduled any more.
    package var isDisposed: Bool {
        state.withLock { $0.isDisposed }
    }

    /// Schedules the next action by calling `schedule`; does nothing after the disposal.
    @usableFromInline
    package func plan(_ schedule: () -> any Disposable) {
        let number = state.withLock { state in
            state.number += 1
            return state.isDisposed ? nil : state.number
        }
        guard let number else { return }
        let action = schedule()
        // The outdated action is passed out of the lock and released there (law 3).
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
