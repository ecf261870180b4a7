#if STREAMS_INSPECTOR
    import Synchronization

    /// What is shown beside the streams of a registry. None of it is retained.
    final class InspectedObjects: Sendable {
        /// An object that exists, and what it says of itself.
        struct Shown {
            let object: InspectedObject
            let identity: ObjectIdentifier
            let facts: Inspector.Facts
        }

        private static let smallestLimit = 1_000

        /// The most objects that are kept.
        private let limit: Int
        private let state = Lock<(objects: [InspectedObject], next: Int)>(([], smallestLimit))

        init(limit: Int) {
            self.limit = limit
        }

        func add(_ object: InspectedObject) {
            let full = state.withLock { state -> [InspectedObject]? in
                guard state.objects.count < limit else { return nil }
                state.objects.append(object)
                guard state.objects.count > state.next else { return nil }
                defer { state.objects = [] }
                return state.objects
            }
            guard let full else { return }
            // Looked at outside the lock: it could be the last reference.
            let existing = full.filter { $0.read() != nil }
            state.withLock { state in
                state.objects = existing + state.objects
                state.next = max(Self.smallestLimit, 2 * existing.count)
            }
        }

        var count: Int { state.withLock { $0.objects.count } }

        func removeAll() {
            state.withLock { $0.objects = [] }
        }

        /// Those that exist and have something to say, in the order in which they were created.
        var shown: [Shown] {
            state.withLock { $0.objects }.compactMap { object in
                guard let (identity, facts) = object.read(), let facts else { return nil }
                return Shown(object: object, identity: identity, facts: facts)
            }
        }
    }

    /// A context, connection or limiter.
    final class InspectedObject: Sendable {
        let id: UInt64
        let kind: String
        let stack: CallStack
        let startedAt = MonotonicTime.now
        /// Reads what it says, from any thread; `nil` if it does not exist any more.
        let read: @Sendable () -> (ObjectIdentifier, Inspector.Facts?)?

        init(
            _ id: UInt64, _ kind: String, _ stack: CallStack, read: @escaping @Sendable () -> (ObjectIdentifier, Inspector.Facts?)?
        ) {
            (self.id, self.kind, self.stack, self.read) = (id, kind, stack, read)
        }
    }
#endif
