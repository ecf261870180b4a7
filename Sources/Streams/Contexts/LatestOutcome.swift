import Schedulers

/// Keeps what later subscribers of a context get: its last event, which is an outcome, or nil where the stored one was erased.
@usableFromInline struct LatestOutcome<Model: Sendable>: ReplayBuffer {
    /// Nil where nothing has happened yet.
    @usableFromInline var event: Outcome<Model>??

    @inlinable init() {}

    /// Nothing follows a cancel.
    @inlinable func admits(_ next: Outcome<Model>?) -> Bool {
        if case .cancelled?? = event { false } else { true }
    }

    @inlinable mutating func keep(_ next: Outcome<Model>?, at now: Duration) -> Outcome<Model>?? {
        let dropped = event
        event = next
        return dropped
    }

    @inlinable func snapshot(at now: Duration, isStopped: Bool) -> LatestSnapshot<Outcome<Model>?> {
        LatestSnapshot(element: isStopped ? nil : event)
    }
}
