import Streams

/// What refers weakly to objects, without most of those that have ended. What exists stays, up to the limit, also while others are removed.
final class PrunedList<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        /// How many existed when they were last looked at, and how many have been added since.
        var existing = 0
        var added = 0
        /// Changes when elements are removed.
        var version = 0
    }

    private let limit: Int
    private let exists: @Sendable (Element) -> Bool
    private let state = Lock(State())

    /// - Parameter limit: the most elements; what is added to a list that is full of what exists is ignored.
    init(limit: Int = .max, exists: @escaping @Sendable (Element) -> Bool) {
        (self.limit, self.exists) = (limit, exists)
    }

    /// In the order in which they were added.
    var elements: [Element] { state.withLock { $0.elements } }

    /// Amortized O(1).
    func add(_ element: Element) {
        let isDue = state.withLock { state in
            let isFull = state.elements.count >= limit
            return state.added >= (isFull ? max(1, limit / 16) : max(1_000, state.existing))
        }
        if isDue { prune() }
        state.withLock { state in
            state.added += 1
            if state.elements.count < limit { state.elements.append(element) }
        }
    }

    /// Removes what has ended. O(n).
    func prune() {
        let (all, version) = state.withLock { state in
            state.added = 0
            return (state.elements, state.version)
        }
        // Looked at outside the lock: it could be the last reference.
        let existing = all.filter(exists)
        state.withLock { state in
            // Others may have removed some meanwhile.
            guard state.version == version else { return }
            state.elements.replaceSubrange(..<all.count, with: existing)
            state.existing = existing.count
            state.version += 1
        }
        withExtendedLifetime(all) {}
    }

    func removeAll() {
        let removed = state.withLock { state in
            defer { state = State(version: state.version + 1) }
            return state.elements
        }
        withExtendedLifetime(removed) {}
    }
}
