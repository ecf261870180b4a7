import Synchronization

/// Admits one caller at a time, and rejects the others.
@usableFromInline
final class Turnstile: Sendable {
    @usableFromInline let isTaken = Atomic<Bool>(false)

    @inlinable
    init() {}

    /// Enters unless another caller is inside. If it returns `true`, `leave()` must be called.
    @inlinable
    func enter() -> Bool {
        !isTaken.exchange(true, ordering: .acquiringAndReleasing)
    }

    @inlinable
    @Sendable
    func leave() {
        isTaken.store(false, ordering: .releasing)
    }
}
