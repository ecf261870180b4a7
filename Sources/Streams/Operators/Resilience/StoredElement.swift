/// The latest element of a stream and the time of its emission; `nil` if there is none. Thread-safe.
@usableFromInline typealias StoredElement<Element: Sendable> = GuardedState<(element: Element, time: Duration)?>

extension GuardedState {
    /// The time at which the element was emitted; `nil` if there is none.
    @inlinable
    func time<Element>() -> Duration? where State == (element: Element, time: Duration)? {
        withState { $0?.time }
    }

    @inlinable
    func element<Element>(youngerThan limit: Duration, at now: Duration) -> Element? where State == (element: Element, time: Duration)? {
        withState { stored in
            guard let stored, now - stored.time < limit else { return nil }
            return stored.element
        }
    }

    /// Stores the next element or none. The last one is released outside the lock (law 3).
    @inlinable
    func store<Element>(_ next: (element: Element, time: Duration)?) where State == (element: Element, time: Duration)? {
        _ = withState { stored in
            defer { stored = next }
            return stored
        }
    }
}
