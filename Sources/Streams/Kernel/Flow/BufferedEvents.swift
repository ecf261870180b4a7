/// The events between a producer and a consumer: as many elements as a policy allows, and the terminal event after them.
@usableFromInline
package struct BufferedEvents<Element: Sendable> {
    /// The outcome for an event.
    @usableFromInline
    package enum Outcome {
        case kept
        /// The element is kept, and the buffer now holds as many as a policy that suspends allows. Further elements are just kept.
        case full(capacity: Int)
        /// The element is passed out, so that it can be released outside a lock (law 3).
        case dropped(Element)
        /// The event became the terminal event: the buffer held as many elements as a policy that fails allows.
        case overflow(capacity: Int)

        @inlinable @inline(__always) package var isFull: Bool {
            guard case .full = self else { return false }
            return true
        }
    }

    @usableFromInline var elements = ElementQueue<Element>()
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let capacity: Int
    /// The number of elements at which the policy begins to matter.
    @usableFromInline let limit: Int
    @usableFromInline var stop: Event<Element>?
    /// Whether a terminal event was accepted: no event follows it.
    @usableFromInline var isStopped = false

    @inlinable
    package init(_ policy: BufferingPolicy) {
        self.policy = policy
        capacity = policy.capacity
        limit = min(policy.capacity, policy.suspensionCapacity - 1)
    }

    @inlinable package var isEmpty: Bool { elements.isEmpty && stop == nil }

    /// Takes the oldest element.
    @inlinable
    package mutating func popFirst() -> Element? { elements.popFirst() }

    @inlinable @inline(__always)
    package mutating func append(_ event: Event<Element>) -> Outcome {
        guard !isStopped else { return .kept }
        guard case .next(let element) = event else {
            stop(with: event)
            return .kept
        }
        guard elements.count >= limit else {
            elements.append(element)
            return .kept
        }
        return appendToFull(element)
    }

    /// Applies the policy to an element that reaches or exceeds the capacity.
    @inlinable @inline(never)
    mutating func appendToFull(_ element: Element) -> Outcome {
        switch policy {
        case .suspend:
            elements.append(element)
            return elements.count == limit + 1 ? .full(capacity: limit + 1) : .kept
        case .unbounded, .fail:
            stop(with: .error(StreamError.overflow(capacity: capacity)))
            return .overflow(capacity: capacity)
        case .dropNewest: return .dropped(element)
        case .dropOldest:
            let oldest = elements.popFirst()
            elements.append(element)
            return oldest.map { .dropped($0) } ?? .kept
        }
    }

    /// Moves the next elements into `batch`, which must be empty: all of them if the buffer is unbounded, and otherwise one, so that the
    /// bound includes elements that are being delivered. Takes the terminal event if there are no elements.
    @inlinable
    mutating func takeBatch(into batch: inout ElementQueue<Element>) -> Event<Element>? {
        if capacity == .max {
            swap(&elements, &batch)
        } else if let element = elements.popFirst() {
            batch.append(element)
        }
        return batch.isEmpty ? stop.take() : nil
    }

    /// Removes all events and accepts no others. They are returned to be released outside a lock (law 3).
    @inlinable
    mutating func removeAll() -> (ElementQueue<Element>, Event<Element>?) {
        isStopped = true
        defer { elements = ElementQueue() }
        return (elements, stop.take())
    }

    @inlinable @inline(never)
    mutating func stop(with event: Event<Element>) {
        (stop, isStopped) = (event, true)
    }
}
