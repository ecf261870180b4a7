/// What closing or opening a gate leaves to be done: decided under a lock or inside a serializer, with the state that decides it, and
/// performed outside.
///
/// Performed late it does no harm, because the gates upstream are told the state of then.
@usableFromInline
package enum GateChange: Sendable {
    case none
    case closed(Gate)
    case opened(Gate)
    case several([Gate], isClosed: Bool)

    /// Tells the gates upstream, and runs the sources that are parked at a gate that was opened: on this thread, neither under a lock nor
    /// inside a serializer of the boundary. After a closing nothing is run, so that it may be performed inside the serializer.
    @usableFromInline
    package func perform() {
        switch self {
        case .none: break
        case .closed(let gate): gate.announceClosing()
        case .opened(let gate): gate.announce()
        case .several(let gates, true): for gate in gates { gate.announceClosing() }
        case .several(let gates, false): for gate in gates { gate.announce() }
        }
    }
}

extension Gate {
    /// Closes or opens the gate for `reason`, under the lock or inside the serializer that decides it.
    @usableFromInline
    package func change(closed: Bool, for reason: Reason = .boundary) -> GateChange {
        guard mark(closed: closed, for: reason) else { return .none }
        return closed ? .closed(self) : .opened(self)
    }
}
