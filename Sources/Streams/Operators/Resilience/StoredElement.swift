import Schedulers

/// The latest element of a stream and the time of its emission. Thread-safe: elements are released outside the lock (law 3).
@usableFromInline
final class StoredElement<Element: Sendable>: Sendable {
    @usableFromInline let state = Lock<(element: Element, time: Duration)?>(nil)

    @inlinable
    init() {}

    /// The time at which the element was emitted; `nil` if there is none.
    @inlinable
    var time: Duration? { state.withLock { $0?.time } }

    @inlinable
    func element(youngerThan limit: Duration, at now: Duration) -> Element? {
        state.withLock { stored in
            guard let stored, now - stored.time < limit else { return nil }
            return stored.element
        }
    }

    @inlinable
    func store(_ element: Element, at now: Duration) {
        exchange((element, now))
    }

    @inlinable
    func clear() {
        exchange(nil)
    }

    @inlinable
    func exchange(_ next: (element: Element, time: Duration)?) {
        _ = state.withLock { stored in
            defer { stored = next }
            return stored
        }
    }
}
