import Schedulers

/// The events between a producer and a consumer, and the gate that suspends the producer while there are too many. Both change together,
/// under the lock or inside the serializer of their owner. The effect of a change is performed outside.
@usableFromInline
package struct GatedBuffer<Element: Sendable> {
    /// The work that a change leaves for outside the lock.
    @usableFromInline
    package enum Effect {
        case none
        case gate(GateChange)
        /// To be released (law 3).
        case dropped(Element)
        /// The policy fails: upstream must be disposed, and the terminal event is in the buffer.
        case overflow(capacity: Int)

        /// Whether the gate was opened: performing that runs its sources, and there may be elements again.
        @inlinable package var isOpening: Bool {
            guard case .gate(.opened) = self else { return false }
            return true
        }

        /// Performs a change of the gate. Returns whether upstream may go on.
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

    @usableFromInline var events: BufferedEvents<Element>
    /// The gate; `nil` if the policy never suspends, so that the sources need not ask.
    @usableFromInline let gate: Gate?

    @inlinable
    package init(_ policy: BufferingPolicy, suspending gate: Gate?) {
        events = BufferedEvents(policy)
        self.gate = gate
    }

    @inlinable package var count: Int { events.elements.count }
    @inlinable package var isEmpty: Bool { events.isEmpty }
    @inlinable package var isStopped: Bool { events.isStopped }

    /// Appends an event unless a terminal event was appended. Closes the gate if the event fills the buffer.
    @inlinable @inline(__always)
    package mutating func append(_ event: Event<Element>) -> Effect {
        switch events.append(event) {
        case .kept: return .none
        case .full: return close()
        case .dropped(let element): return .dropped(element)
        case .overflow(let capacity): return .overflow(capacity: capacity)
        }
    }

    @usableFromInline @inline(never)
    func close() -> Effect {
        gate.map { .gate($0.suspend(while: true)) } ?? .none
    }

    /// Moves the next elements into the empty `batch`, or returns the terminal event. If there are neither, the consumer has delivered
    /// everything that it took: the gate opens, and if the effect says so, the buffer must be asked again.
    @inlinable
    package mutating func take(into batch: inout ElementQueue<Element>) -> (Event<Element>?, Effect) {
        let stop = events.takeBatch(into: &batch)
        return (stop, stop == nil && batch.isEmpty ? open() : .none)
    }

    /// Takes one element, for a consumer that counts its demand.
    @inlinable package mutating func popFirst() -> Element? { events.elements.popFirst() }

    /// Opens the gate if no element waits.
    @inlinable
    package func open() -> Effect {
        guard let gate, gate.isClosed, events.elements.isEmpty else { return .none }
        return .gate(gate.suspend(while: false))
    }

    @inlinable
    package mutating func removeAll() -> (ElementQueue<Element>, Event<Element>?) { events.removeAll() }
}
