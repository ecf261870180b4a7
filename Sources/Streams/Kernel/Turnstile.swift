import Synchronization

/// Lets one in at a time, and turns the others away.
@usableFromInline
final class Turnstile: Sendable {
    @usableFromInline let isTaken = Atomic<Bool>(false)

    @inlinable
    init() {}

    /// Enters unless somebody is inside. Who gets true must call `leave()`.
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
