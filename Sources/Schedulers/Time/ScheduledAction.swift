import Synchronization

/// An action that runs once or is cancelled; whichever comes first frees it.
class ScheduledAction: Disposable, @unchecked Sendable {
    // Law 4: the exchange picks the one caller that may touch the action.
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

    /// The action, for the first who asks.
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
