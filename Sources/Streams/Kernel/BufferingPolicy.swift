/// What happens to an element for which there is no room.
public enum Overflow: Sendable, Equatable {
    /// The element that has waited longest is dropped.
    case dropOldest
    /// The new element is dropped.
    case dropNewest
    /// The stream fails with `StreamError.overflow`, behind what waits already; upstream is let go.
    case fail
}

/// How much may wait where a fast producer meets a slow consumer.
public enum BufferingPolicy: Sendable, Equatable {
    /// Everything waits: memory grows with the gap between the two.
    case unbounded
    /// At most `capacity` elements wait. A capacity below 1 is taken as 1.
    case bounded(capacity: Int, overflow: Overflow)

    /// Only the latest element waits.
    public static let latest = BufferingPolicy.bounded(capacity: 1, overflow: .dropOldest)
}

/// The elements that wait under a policy.
@usableFromInline
struct PolicyBuffer<Element> {
    /// What became of an element.
    @usableFromInline
    enum Outcome {
        case kept
        /// Given out, so that it can be released after a lock is left (law 3).
        case dropped(Element)
        case overflow(capacity: Int)
    }

    @usableFromInline var queue = ElementQueue<Element>()
    @usableFromInline let capacity: Int
    @usableFromInline let overflow: Overflow

    @inlinable
    init(_ policy: BufferingPolicy) {
        switch policy {
        case .unbounded: (capacity, overflow) = (.max, .fail)
        case .bounded(let limit, let rule): (capacity, overflow) = (max(1, limit), rule)
        }
    }

    @inlinable var isEmpty: Bool { queue.isEmpty }

    @inlinable
    mutating func append(_ element: Element) -> Outcome {
        guard queue.count >= capacity else {
            queue.append(element)
            return .kept
        }
        switch overflow {
        case .fail: return .overflow(capacity: capacity)
        case .dropNewest: return .dropped(element)
        case .dropOldest:
            let oldest = queue.popFirst()
            queue.append(element)
            return oldest.map { .dropped($0) } ?? .kept
        }
    }

    @inlinable
    mutating func popFirst() -> Element? {
        queue.popFirst()
    }

    /// Moves what waits into `batch`, which is empty: all of it where there is no bound, and one element otherwise, so that the bound
    /// holds for what was taken too.
    @inlinable
    mutating func takeBatch(into batch: inout ElementQueue<Element>) {
        guard capacity < .max else { return swap(&queue, &batch) }
        guard let element = queue.popFirst() else { return }
        batch.append(element)
    }

    /// Takes everything out.
    @inlinable
    mutating func removeAll() -> ElementQueue<Element> {
        defer { queue = ElementQueue() }
        return queue
    }
}
