import Streams

/// What refers weakly to objects, without most of those that have ended.
final class PrunedList<Element: Sendable>: Sendable {
    private static var smallestThreshold: Int { 1_000 }

    private let limit: Int
    private let exists: @Sendable (Element) -> Bool
    private let state = Lock<(elements: [Element], threshold: Int)>(([], smallestThreshold))

    /// - Parameter limit: the most elements; what is added to a full list is ignored.
    init(limit: Int = .max, exists: @escaping @Sendable (Element) -> Bool) {
        (self.limit, self.exists) = (limit, exists)
    }

    /// In the order in which they were added.
    var elements: [Element] { state.withLock { $0.elements } }

    func add(_ element: Element) {
        let isFull = state.withLock { state in
            if state.elements.count < limit { state.elements.append(element) }
            return state.elements.count >= state.threshold
        }
        if isFull { prune() }
    }

    /// Removes what has ended.
    func prune() {
        let all = state.withLock { state in
            defer { state.elements = [] }
            return state.elements
        }
        // Looked at outside the lock: it could be the last reference.
        let existing = all.filter(exists)
        state.withLock { state in
            state.elements = existing + state.elements
            state.threshold = max(Self.smallestThreshold, 2 * existing.count)
        }
    }

    func removeAll() {
        state.withLock { $0.elements = [] }
    }
}
