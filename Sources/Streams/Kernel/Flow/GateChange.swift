/// The work that follows from closing or opening a gate. It is decided under a lock or inside a serializer, together with the state that
/// decides it, and performed outside.
///
/// Performing it late does no harm, because the gates upstream are then told the state of that time.
@usableFromInline
package enum GateChange: Sendable {
    case none
    case closed(Gate)
    case opened(Gate)
    case several([Gate], isClosed: Bool)

    /// Tells the gates upstream, and runs the sources that are parked at a gate that was opened: on this thread, neither under a lock nor
    /// inside a serializer of the boundary. After a closing no source runs, so this may be performed inside the serializer.
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

/// What a boundary says to its gate.
extension Gate {
    /// Closes the gate for `reason`, or opens it, under the lock or inside the serializer that decides it.
    @usableFromInline
    package func suspend(while isFull: Bool, for reason: Reason = .boundary) -> GateChange {
        guard mark(closed: isFull, for: reason) else { return .none }
        return isFull ? .closed(self) : .opened(self)
    }

    /// Tells the gates upstream that this is closed, if it is: who has closed it, on another thread, may not have done so yet.
    package func catchUp() {
        if isClosed { announceClosing() }
    }
}
