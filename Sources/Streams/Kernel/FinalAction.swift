import Schedulers
import Synchronization

/// An action that runs once, after everything that it depends on: the end of its lifetime, the call that started the source, and the event
/// being handled.
///
/// It runs on the thread that released it last, so that no thread waits for another.
final class FinalAction: LifetimeMember, @unchecked Sendable {
    // Law 4: the count selects the one caller that runs the action. It starts with the lifetime and the start of the source.
    private let holds = Atomic<Int>(2)
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void, parent: Lifetime) {
        self.action = action
        super.init(parent: parent)
    }

    /// Delays the action until `release()`; returns `false` if it has run.
    func retain() -> Bool {
        var count = holds.load(ordering: .relaxed)
        while count > 0 {
            let outcome = holds.weakCompareExchange(expected: count, desired: count + 1, ordering: .acquiringAndReleasing)
            guard !outcome.exchanged else { return true }
            count = outcome.original
        }
        return false
    }

    func release() {
        guard holds.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        LockProbe.expectNoLock()
        action()
    }

    override func tearDown() {
        release()
    }
}
