import Schedulers

/// The latest element of a stream, and when it was emitted. Thread-safe: elements are released outside the lock (law 3).
final class StoredElement<Element: Sendable>: Sendable {
    private let state = Lock<(element: Element, time: Duration)?>(nil)

    /// When the element was emitted; `nil` if there is none.
    var time: Duration? { state.withLock { $0?.time } }

    func element(youngerThan limit: Duration, at now: Duration) -> Element? {
        state.withLock { stored in
            guard let stored, now - stored.time < limit else { return nil }
            return stored.element
        }
    }

    func store(_ element: Element, at now: Duration) {
        exchange((element, now))
    }

    func clear() {
        exchange(nil)
    }

    private func exchange(_ next: (element: Element, time: Duration)?) {
        _ = state.withLock { stored in
            defer { stored = next }
            return stored
        }
    }
}
