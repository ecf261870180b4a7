import Synchronization

/// An action that either runs once or is cancelled; both free it.
class ScheduledAction: Disposable, @unchecked Sendable {
    // Law 4: the exchange selects the one caller that may access the action.
    private let isTaken = Atomic<Bool>(false)
    private var action: (@Sendable () -> Void)?
    private let mark = Resources.Mark("ScheduledAction")

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = Resources.bindingCounter(action)
    }

    /// Whether the action has run or was cancelled.
    final var isOver: Bool {
        isTaken.load(ordering: .acquiring)
    }

    /// Returns the action to the first caller only.
    final func take() -> (@Sendable () -> Void)? {
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        return action.take()
    }

    func run() {
        let action = take()
        LockProbe.expectNoLock()
        action?()
    }

    func dispose() {
        _ = take()
    }
}

/// The pending action of a sequence, in which each action schedules the next when it runs.
///
/// An action that has run when the next is scheduled is dropped and not disposed. On another thread, an action may run and schedule the
/// next before the call that scheduled it has returned: its number then shows that it is outdated.
@usableFromInline
package struct PlannedAction: ~Copyable, Sendable {
    // Not private: the compiler of Swift 6.3.1 crashes in the files that have a property of this type.
    struct State {
        var number = 0
        var action: (any Disposable)?
        var isDisposed = false
    }

    private let state = Lock(State())

    @usableFromInline
    package init() {}

    /// Whether this has been disposed, so that nothing is scheduled any more.
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
        // The outdated action leaves the lock and is released outside it (law 3).
        let (over, isDisposed) = state.withLock { state -> ((any Disposable)?, Bool) in
            guard !state.isDisposed else { return (action, true) }
            guard state.number == number else { return (nil, false) }
            defer { state.action = action }
            return (state.action, false)
        }
        if isDisposed { over?.dispose() }
    }

    /// Disposes the pending action; another may be planned. One that has begun to run still ends.
    package func cancel() {
        state.withLock { state in
            state.number += 1
            return state.action.take()
        }?.dispose()
    }

    @usableFromInline
    package func dispose() {
        state.withLock { $0.isDisposed = true }
        cancel()
    }
}
