import Synchronization

/// Tells one of its callers, on any threads, that it is the one that was awaited.
final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(from count: Int) {
        left = Atomic(count)
    }

    /// Counts the caller, and returns whether it is the last of those that were awaited.
    func isLast() -> Bool {
        left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }
}
