/// The events between a producer and a consumer: elements, as many as a policy allows, and the terminal event after them.
@usableFromInline
struct BufferedEvents<Element: Sendable> {
    @usableFromInline var elements: PolicyBuffer<Element>
    @usableFromInline var stop: Event<Element>?
    /// Whether a terminal event was accepted: no event follows it.
    @usableFromInline var isStopped = false

    @inlinable
    init(_ policy: BufferingPolicy) {
        elements = PolicyBuffer(policy)
    }

    @inlinable var isEmpty: Bool { elements.isEmpty && stop == nil }

    /// Appends an event. An element beyond the capacity of a policy that fails becomes the terminal event.
    @inlinable @inline(__always)
    mutating func append(_ event: Event<Element>) -> PolicyBuffer<Element>.Outcome {
        guard !isStopped else { return .kept }
        guard case .next(let element) = event else {
            stop(with: event)
            return .kept
        }
        let outcome = elements.append(element)
        if case .overflow(let capacity) = outcome { stop(with: .error(StreamError.overflow(capacity: capacity))) }
        return outcome
    }

    /// Moves the next elements into `batch`, which must be empty; takes the terminal event if there are none.
    @inlinable
    mutating func takeBatch(into batch: inout ElementQueue<Element>) -> Event<Element>? {
        elements.takeBatch(into: &batch)
        return batch.isEmpty ? stop.take() : nil
    }

    /// Removes all events and accepts no others. They are returned to be released outside a lock (law 3).
    @inlinable
    mutating func removeAll() -> (ElementQueue<Element>, Event<Element>?) {
        isStopped = true
        return (elements.removeAll(), stop.take())
    }

    @inlinable @inline(never)
    mutating func stop(with event: Event<Element>) {
        (stop, isStopped) = (event, true)
    }
}
