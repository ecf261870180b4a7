/// How many elements are buffered between a fast producer and a slow consumer, and what happens to further ones.
///
/// A capacity below 1 is treated as 1.
public enum BufferingPolicy: Sendable, Equatable {
    /// Every element is buffered: memory grows with the distance between the two.
    case unbounded
    /// At most `capacity` elements are buffered; one more drops the oldest of them.
    case dropOldest(capacity: Int)
    /// At most `capacity` elements are buffered; one more is dropped.
    case dropNewest(capacity: Int)
    /// At most `capacity` elements are buffered; one more disposes upstream and fails the stream with ``StreamError/overflow(capacity:)``
    /// after them.
    case fail(capacity: Int)

    /// Only the latest element is buffered.
    public static let latest = BufferingPolicy.dropOldest(capacity: 1)
}

extension BufferingPolicy {
    /// The maximum number of elements.
    @inlinable package var capacity: Int {
        switch self {
        case .unbounded: .max
        case .dropOldest(let capacity), .dropNewest(let capacity), .fail(let capacity): max(1, capacity)
        }
    }
}

/// The buffered elements under a policy.
@usableFromInline
struct PolicyBuffer<Element> {
    /// What happened to an element.
    @usableFromInline
    enum Outcome {
        case kept
        /// Passed out, so that it can be released outside a lock (law 3).
        case dropped(Element)
        case overflow(capacity: Int)
    }

    @usableFromInline var queue = ElementQueue<Element>()
    @usableFromInline let capacity: Int
    @usableFromInline let policy: BufferingPolicy

    @inlinable
    init(_ policy: BufferingPolicy) {
        self.policy = policy
        capacity = policy.capacity
    }

    @inlinable var isEmpty: Bool { queue.isEmpty }

    @inlinable @inline(__always)
    mutating func append(_ element: consuming Element) -> Outcome {
        guard queue.count >= capacity else {
            queue.append(element)
            return .kept
        }
        return replace(with: element)
    }

    /// Applies the policy to an element beyond the capacity.
    @inlinable @inline(never)
    mutating func replace(with element: Element) -> Outcome {
        switch policy {
        case .unbounded, .fail: return .overflow(capacity: capacity)
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

    /// Moves the buffered elements into `batch`, which must be empty: all of them if unbounded, and one otherwise, so that the bound
    /// includes elements being delivered.
    @inlinable
    mutating func takeBatch(into batch: inout ElementQueue<Element>) {
        guard capacity < .max else { return swap(&queue, &batch) }
        guard let element = queue.popFirst() else { return }
        batch.append(element)
    }

    /// Removes and returns all elements.
    @inlinable
    mutating func removeAll() -> ElementQueue<Element> {
        defer { queue = ElementQueue() }
        return queue
    }
}
