import Synchronization

/// An action that either runs once or is cancelled; whichever happens first frees it.
class ScheduledAction: Disposable, @unchecked Sendable {
    // Law 4: the exchange selects the one caller that may access the action.
    private let isTaken = Atomic<Bool>(false)
    private var action: (@Sendable () -> Void)?
    private let mark = Resources.Mark("ScheduledAction")

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = Resources.bindingCounter(action)
    }

    /// Whether it has run or was cancelled.
    final var isOver: Bool {
        isTaken.load(ordering: .acquiring)
    }

    /// Returns the action to the first caller.
    final func take() -> (@Sendable () -> Void)? {
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        return action.take()
    }

    final func run() {
        let action = take()
        LockProbe.expectNoLock()
        action?()
    }

    func dispose() {
        _ = take()
    }
}
