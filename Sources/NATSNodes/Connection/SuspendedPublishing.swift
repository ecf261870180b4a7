import SocketNodes

/// The elements of a stream that have followed its suspension: those that threads which emit at once have queued. They may exceed the limit.
struct Underway: Sendable {
    /// More are of a source that cannot be suspended.
    private static let most = 64
    /// What had been sent when the first of them was published.
    private var sent = 0
    private var count = 0

    /// Counts an element, and returns whether it is one of those.
    mutating func admits(_ state: ConnectionState) -> Bool {
        if state.sent != sent { (sent, count) = (state.sent, 0) }
        if state.isFull { count += 1 }
        return count <= Self.most
    }
}

/// Streams that publish as fast as the connection writes.
extension ConnectionCore {
    /// Returns the lifetime of the source of a stream that publishes. It is closed when the pending bytes are many, and announces that when the
    /// stream publishes.
    func publishingGate(in parent: Lifetime) -> Gate {
        // Not on the thread of all sockets, where pending bytes are sent: a source may block.
        let gate = parent.gatedChild(resumingOn: configuration.scheduler)
        shared.withLock { $0.publishing.insert(gate) }
        gate.add { [self, unowned gate] in _ = shared.withLock { $0.publishing.remove(gate) } }
        return gate
    }

    /// Fails when pending messages are dropped, of which some may be those of a stream that publishes.
    var losses: Observable<NATSEvent> {
        events.filter { event in
            switch event {
            case .gaveUp(let error, let unsent) where unsent > 0: throw error
            case .closed: throw NATSError.closed
            default: return false
            }
        }
    }
}
