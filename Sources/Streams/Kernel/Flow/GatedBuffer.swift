import Schedulers

/// The events between a producer and a consumer, and the gate that suspends the producer while they are too many. Both change together,
/// under the lock or inside the serializer of whoever has it; what follows from a change, its effect, is performed outside.
@usableFromInline
package struct GatedBuffer<Element: Sendable> {
    /// What a change leaves to be done outside the lock.
    @usableFromInline
    package enum Effect {
        case none
        case closed(Gate)
        case opened(Gate)
        /// To be released (law 3).
        case dropped(Element)
        /// The policy fails: upstream has to be disposed, and the terminal event is in the buffer.
        case overflow(capacity: Int)

        /// Announces a change of the gate: it runs the sources when that was opened. Returns whether upstream may go on.
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
    /// `nil` if the policy never suspends, so that the sources have nothing to ask.
    @usableFromInline let gate: Gate?

    @inlinable
    package init(_ policy: BufferingPolicy, suspending gate: Gate?) {
        events = BufferedEvents(policy)
        self.gate = gate
    }

    @inlinable package var count: Int { events.elements.count }
    @inlinable package var isEmpty: Bool { events.isEmpty }
    @inlinable package var isStopped: Bool { events.isStopped }

    /// Appends an event unless a terminal event was; closes the gate when that fills the buffer.
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

    /// Moves the next elements into the empty `batch`, or returns the terminal event. If there are neither, the consumer has delivered all
    /// that was taken: the gate opens, and if the effect says so the buffer is to be asked again.
    @inlinable
    package mutating func take(into batch: inout ElementQueue<Element>) -> (Event<Element>?, Effect) {
        let stop = events.takeBatch(into: &batch)
        return (stop, stop == nil && batch.isEmpty ? open() : .none)
    }

    /// Takes one element; for a consumer that counts its demand.
    @inlinable package mutating func popFirst() -> Element? { events.elements.popFirst() }

    /// Opens the gate if nothing waits.
    @inlinable
    package func open() -> Effect {
        guard let gate, gate.isClosed, events.elements.isEmpty, gate.mark(closed: false) else { return .none }
        return .opened(gate)
    }

    @inlinable
    package mutating func removeAll() -> (ElementQueue<Element>, Event<Element>?) { events.removeAll() }
}
