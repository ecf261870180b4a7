import SocketNodes

/// The elements that follow the suspension of a stream, because threads that emit at the same time have queued them. They may exceed the
/// limit.
struct Underway: Sendable {
    /// If there are more, the source cannot be suspended.
    private static let most = 64
    /// The number of messages that had been sent when the first of these elements was published.
    private var sent = 0
    private var count = 0

    /// Counts an element, and returns whether it is one of these.
    mutating func includes(_ state: ConnectionState) -> Bool {
        if state.sent != sent { (sent, count) = (state.sent, 0) }
        if state.isFull { count += 1 }
        return count <= Self.most
    }
}

/// Streams that publish as fast as the connection writes.
extension ConnectionCore {
    /// Returns the lifetime of the source of a stream that publishes, which is suspended while the pending bytes are many.
    func publishingGate(in parent: Lifetime) -> Gate {
        // Not on the thread of all sockets, which sends the pending bytes: a source may block.
        let gate = parent.boundary(resumingOn: configuration.scheduler)
        shared.withLock { $0.publishing.insert(gate) }
        gate.add { [self, unowned gate] in _ = shared.withLock { $0.publishing.remove(gate) } }
        return gate
    }

    /// Fails when pending messages are dropped, because some of them may belong to a stream that publishes.
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
