import Schedulers
import Synchronization

/// An action that runs once, after everything on which it depends: the end of its lifetime, the event that is being handled, and everything
/// else that has retained it.
///
/// It runs on the thread that released it last, so no thread waits for another.
@usableFromInline
final class FinalAction: LifetimeMember, @unchecked Sendable {
    // Law 4: the count selects the one caller that runs the action. It starts with the lifetime.
    private let holds: Atomic<Int>
    private let action: @Sendable () -> Void

    /// Creates an action that runs when `parent` has ended, at the earliest. If `isHeld`, it also waits for a `release()`.
    @usableFromInline
    init(_ action: @escaping @Sendable () -> Void, after parent: Lifetime, isHeld: Bool = false) {
        holds = Atomic(isHeld ? 2 : 1)
        self.action = action
        super.init(parent: parent)
        attach()
    }

    /// Delays the action until `release()`; returns `false` if the action has run.
    @usableFromInline
    func retain() -> Bool {
        var count = holds.load(ordering: .relaxed)
        while count > 0 {
            let outcome = holds.weakCompareExchange(expected: count, desired: count + 1, ordering: .acquiringAndReleasing)
            guard !outcome.exchanged else { return true }
            count = outcome.original
        }
        return false
    }

    @usableFromInline
    func release() {
        guard holds.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        LockProbe.expectNoLock()
        action()
    }

    @usableFromInline
    override func tearDown() {
        release()
    }

    /// Returns the observer; each of its events delays the action until the event has been handled.
    @inlinable
    func delayed<Element>(by downstream: consuming AnyObserver<Element>) -> AnyObserver<Element> {
        let downstream = downstream
        return AnyObserver.receiving { [self] event in
            let isHeld = retain()
            downstream.forward(event)
            if isHeld { release() }
        }
    }
}
