import Schedulers

/// What happens in a context, for the contexts that are derived from it.
@usableFromInline enum ContextEvent<Model: Sendable>: Sendable {
    case outcome(Outcome<Model>)
    /// The stored outcome is erased, as upstream's was, and none takes its place.
    case cleared
    /// From now on it only forwards what another context emits: who follows it may follow that one instead.
    case forwards(Forwarded)

    /// The context that another one forwards. (An enumeration with a weak reference in it would be slow to move.)
    @usableFromInline final class Forwarded: Sendable {
        weak let observer: Observer<Model>?

        init(_ observer: Observer<Model>) {
            self.observer = observer
        }
    }

    init(_ outcome: Outcome<Model>?) {
        self = outcome.map(Self.outcome) ?? .cleared
    }

    /// The outcome, nil where it was cleared.
    var outcome: Outcome<Model>? {
        if case .outcome(let outcome) = self { outcome } else { nil }
    }

    @inlinable var isCancelled: Bool {
        if case .outcome(.cancelled) = self { true } else { false }
    }
}

/// Keeps the event of a context that later subscribers get.
@usableFromInline struct LatestOutcome<Model: Sendable>: ReplayBuffer {
    @usableFromInline var event: ContextEvent<Model>?

    @inlinable init() {}

    /// Nothing follows a cancel; only where there is no outcome can one be cleared, or what is forwarded take its place.
    @inlinable func admits(_ next: ContextEvent<Model>) -> Bool {
        guard let event else { return true }
        if case .outcome(let stored) = event {
            if case .forwards = next { return false }
            return !stored.isCancelled
        }
        return true
    }

    @inlinable mutating func keep(_ next: ContextEvent<Model>, at now: Duration) -> ContextEvent<Model>? {
        let dropped = event
        event = next
        return dropped
    }

    @inlinable func snapshot(at now: Duration, isStopped: Bool) -> LatestSnapshot<ContextEvent<Model>> {
        LatestSnapshot(element: isStopped ? nil : event)
    }
}

extension ReplayCore {
    /// Whether a context that has this core was cancelled.
    func isCancelled<Model>() -> Bool where Held == LatestOutcome<Model> {
        state.withLock { $0.held.event?.isCancelled ?? false }
    }

    /// Whether a context that has this core only forwards another one's outcomes.
    func isForwarding<Model>() -> Bool where Held == LatestOutcome<Model> {
        state.withLock { if case .forwards = $0.held.event { true } else { false } }
    }
}
