import Schedulers

/// The events between a producer and a consumer: as many elements as a policy allows, and the terminal event after them; with the gate that
/// suspends the producer while there are too many. All change together, under the lock or inside the serializer of their owner. The effect
/// of a change is performed outside.
@usableFromInline
package struct GatedBuffer<Element: Sendable> {
    /// The work that a change leaves for outside the lock.
    @usableFromInline
    package enum Effect {
        case none
        case gate(GateChange)
        /// The element is to be released (law 3).
        case dropped(Element)
        /// The policy fails: upstream must be disposed, and the terminal event is in the buffer.
        case overflow(capacity: Int)

        /// Whether the gate was opened: when that has been performed, there may be elements again.
        @inlinable package var isOpening: Bool {
            guard case .gate(.opened) = self else { return false }
            return true
        }

        /// Performs the opening of the gate, which runs the sources. Returns whether upstream may continue.
        @inlinable @inline(__always) @discardableResult
        package func perform() -> Bool {
            guard case .none = self else { return performRare() }
            return true
        }

        @usableFromInline @inline(never)
        func performRare() -> Bool {
            switch self {
            case .none, .dropped: break
            case .gate(let change): change.perform()
            case .overflow: return false
            }
            return true
        }
    }

    @usableFromInline var elements = ElementQueue<Element>()
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let capacity: Int
    /// The number of elements at which the policy begins to matter.
    @usableFromInline let limit: Int
    /// The gate; `nil` if the policy never suspends, so that the sources need not ask.
    @usableFromInline let gate: Gate?
    /// The terminal event. Its type does not depend on the element, so that the end of a queue looks up no type.
    @usableFromInline var stop: Event<Never>?
    /// Whether a terminal event was accepted: no event follows it.
    @usableFromInline package var isStopped = false

    @inlinable
    package init(_ policy: BufferingPolicy, suspending gate: Gate?) {
        self.policy = policy
        self.gate = gate
        capacity = policy.capacity
        limit = min(policy.capacity, policy.suspensionCapacity - 1)
    }

    @inlinable package var count: Int { elements.count }
    @inlinable package var isEmpty: Bool { elements.isEmpty && stop == nil }
    /// Whether there are no events, and the producer is not suspended.
    @inlinable var isIdle: Bool { isEmpty && gate?.isClosed != true }

    /// Appends an event unless a terminal event was appended. Closes the gate if the event fills the buffer.
    @inlinable @inline(__always)
    package mutating func append(_ event: Event<Element>) -> Effect {
        guard !isStopped else { return .none }
        guard case .next(let element) = event else {
            stop(with: event)
            return .none
        }
        guard elements.count >= limit else {
            elements.append(element)
            return .none
        }
        return appendToFull(element)
    }

    /// Applies the policy to an element that reaches or exceeds the capacity.
    @inlinable @inline(never)
    mutating func appendToFull(_ element: Element) -> Effect {
        switch policy {
        case .suspend:
            elements.append(element)
            guard let gate, elements.count == limit + 1 else { return .none }
            gate.suspend()
            return .none
        case .unbounded, .fail:
            stop(with: .error(StreamError.overflow(capacity: capacity)))
            return .overflow(capacity: capacity)
        case .dropNewest: return .dropped(element)
        case .dropOldest:
            let oldest = elements.popFirst()
            elements.append(element)
            return oldest.map { .dropped($0) } ?? .none
        }
    }

    /// Moves the next elements into the empty `batch`: all of them if the buffer is unbounded, and otherwise one, so that the bound includes
    /// elements that are being delivered; or returns the terminal event. If there are neither, the consumer has delivered everything that it
    /// took: the gate opens, and if the effect says so, the buffer must be asked again.
    @inlinable
    package mutating func take(into batch: inout ElementQueue<Element>) -> (Event<Element>?, Effect) {
        if capacity == .max {
            swap(&elements, &batch)
        } else if let element = elements.popFirst() {
            batch.append(element)
        }
        guard batch.isEmpty else { return (nil, .none) }
        guard let stop = stop.take() else { return (nil, open()) }
        return (stop.terminal(), .none)
    }

    /// Takes one element, for a consumer that counts its demand.
    @inlinable package mutating func popFirst() -> Element? { elements.popFirst() }

    /// Opens the gate if no element waits.
    @inlinable
    package func open() -> Effect {
        guard let gate, gate.isClosed, elements.isEmpty else { return .none }
        return .gate(gate.resume())
    }

    /// Removes all events and accepts no others. They are returned to be released outside a lock (law 3).
    @inlinable @inline(__always)
    package mutating func removeAll() -> (ElementQueue<Element>, Event<Never>?) {
        isStopped = true
        defer { elements = ElementQueue() }
        return (elements, stop.take())
    }

    @inlinable @inline(never)
    mutating func stop(with event: Event<Element>) {
        (stop, isStopped) = (event.terminal(), true)
    }
}
