import Streams

/// A context, connection or limiter.
final class InspectedObject: Sendable {
    let id: UInt64
    let kind: String
    let stack: CallStack
    let startedAt = MonotonicTime.now
    /// Reads what it says, from any thread; `nil` if it does not exist any more.
    let read: @Sendable () -> (ObjectIdentifier, Probe.Facts?)?

    init(
        _ id: UInt64, _ kind: String, _ stack: CallStack, read: @escaping @Sendable () -> (ObjectIdentifier, Probe.Facts?)?
    ) {
        (self.id, self.kind, self.stack, self.read) = (id, kind, stack, read)
    }
}

extension PrunedList<InspectedObject> {
    /// An object that exists, and what it says of itself.
    struct Shown {
        let object: InspectedObject
        let identity: ObjectIdentifier
        let facts: Probe.Facts
    }

    /// What is shown beside the streams of a registry. None of it is retained.
    convenience init(limit: Int) {
        self.init(limit: limit) { $0.read() != nil }
    }

    /// Those that exist and have something to say, in the order in which they were created.
    var shown: [Shown] {
        prune()
        return elements.compactMap { object in
            guard let (identity, facts) = object.read(), let facts else { return nil }
            return Shown(object: object, identity: identity, facts: facts)
        }
    }
}
