import Streams

/// A list of weak references to objects, without most of those that have ended. Existing objects stay, up to the limit, even while others
/// are removed.
final class PrunedList<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        /// The number of existing elements at the last look, and the number that have been added since.
        var existing = 0
        var added = 0
        /// The version, which changes when elements are removed.
        var version = 0
    }

    private let limit: Int
    private let exists: @Sendable (Element) -> Bool
    private let state = Lock(State())

    /// - Parameter limit: the maximum number of elements. If the list is full of existing objects, further ones are ignored.
    init(limit: Int = .max, exists: @escaping @Sendable (Element) -> Bool) {
        (self.limit, self.exists) = (limit, exists)
    }

    /// The elements in the order in which they were added.
    var elements: [Element] { state.withLock { $0.elements } }

    /// Adds an element. Amortized O(1).
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

    /// Removes the elements that have ended. O(n).
    func prune() {
        let (all, version) = state.withLock { state in
            state.added = 0
            return (state.elements, state.version)
        }
        // This looks outside the lock: it could be the last reference.
        let existing = all.filter(exists)
        state.withLock { state in
            // Other threads may have removed some meanwhile.
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

/// A context, connection or limiter.
final class InspectedObject: Sendable {
    let id: UInt64
    let kind: String
    let stack: CallStack
    let startedAt = MonotonicTime.now
    /// Reads the facts about the object, from any thread; returns `nil` if it does not exist any more.
    let read: @Sendable () -> (ObjectIdentifier, Probe.Facts?)?

    init(
        _ id: UInt64, _ kind: String, _ stack: CallStack, read: @escaping @Sendable () -> (ObjectIdentifier, Probe.Facts?)?
    ) {
        (self.id, self.kind, self.stack, self.read) = (id, kind, stack, read)
    }
}

extension PrunedList<InspectedObject> {
    /// An object that exists, and its facts.
    struct Shown {
        let object: InspectedObject
        let identity: ObjectIdentifier
        let facts: Probe.Facts
    }

    /// Creates the list of objects that are shown beside the streams of a registry. None of them is retained.
    convenience init(limit: Int) {
        self.init(limit: limit) { $0.read() != nil }
    }

    /// The existing objects that have facts to show, in the order in which they were created.
    var shown: [Shown] {
        prune()
        return elements.compactMap { object in
            guard let (identity, facts) = object.read(), let facts else { return nil }
            return Shown(object: object, identity: identity, facts: facts)
        }
    }
}
