import Streams

/// A context, connection or limiter.
final class InspectedObject: Sendable {
    let id: UInt64
    let kind: String
    let stack: CallStack
    let startedAt = MonotonicTime.now
    /// Reads the facts about the object, from any thread; returns `nil` if it does not exist any more.
    let read: @Sendable () -> (ObjectIdentifier, Probe.Facts?)?

    init(
        _ id: UInt64, _ kind: String, _ stack: CallStack, read: @escaping @Sendable () -> (ObjectIdentifier, Probe.Facts?)?
    ) {
        (self.id, self.kind, self.stack, self.read) = (id, kind, stack, read)
    }
}

extension PrunedList<InspectedObject> {
    /// An object that exists, and its facts.
    struct Shown {
        let object: InspectedObject
        let identity: ObjectIdentifier
        let facts: Probe.Facts
    }

    /// Creates the list of objects that are shown beside the streams of a registry. None of them is retained.
    convenience init(limit: Int) {
        self.init(limit: limit) { $0.read() != nil }
    }

    /// The existing objects that have facts to show, in the order in which they were created.
    var shown: [Shown] {
        prune()
        return elements.compactMap { object in
            guard let (identity, facts) = object.read(), let facts else { return nil }
            return Shown(object: object, identity: identity, facts: facts)
        }
    }
}
