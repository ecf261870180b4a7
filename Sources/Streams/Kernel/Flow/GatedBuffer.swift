import Schedulers

/// The events between a producer and a consumer, and the gate that suspends the producer while there are too many. Both change together,
/// under the lock or inside the serializer of their owner. The effect of a change is performed outside.
@usableFromInline
package struct GatedBuffer<Element: Sendable> {
    /// The work that a change leaves for outside the lock.
    @usableFromInline
    package enum Effect {
        case none
        case closed(Gate)
        case opened(Gate)
        /// The element is to be released (law 3).
        case dropped(Element)
        /// The policy fails: upstream must be disposed, and the terminal event is in the buffer.
        case overflow(capacity: Int)

        /// Announces a change of the gate. If the gate was opened, this runs the sources. Returns whether upstream may continue.
        @inlinable @inline(__always) @discardableResult
        package func perform() -> Bool {
            guard case .none = self else { return performRare() }
            return true
        }

        @usableFromInline @inline(never)
        func performRare() -> Bool {
            switch self {
            case .none, .dropped: return true
            case .closed(let gate): gate.announceClosing()
            case .opened(let gate): gate.announce()
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
        guard let gate else { return .none }
        gate.mark(closed: true)
        return .closed(gate)
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
        guard let gate, gate.isClosed, events.elements.isEmpty, gate.mark(closed: false) else { return .none }
        return .opened(gate)
    }

    @inlinable
    package mutating func removeAll() -> (ElementQueue<Element>, Event<Element>?) { events.removeAll() }
}
