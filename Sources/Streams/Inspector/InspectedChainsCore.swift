#if STREAMS_INSPECTOR
    import Schedulers

    /// The subscriptions that one test has made, and where. It retains none of them.
    final class InspectedChains: Sendable {
        // Law 9: nobody but the runtime changes the weak reference.
        private struct Entry: @unchecked Sendable {
            weak var lifetime: Lifetime?
            let stack: CallStack

            var isRunning: Bool { lifetime.map { !$0.isDisposed } ?? false }
        }

        private static let smallestLimit = 1_000

        private let state = Lock<(entries: [Entry], limit: Int)>(([], smallestLimit))

        /// Returns a closure that records the subscription and starts it.
        func recording<Element>(
            _ start: @escaping @Sendable (consuming AnyObserver<Element>, Lifetime) -> Void
        ) -> Inspection.Start<Element> {
            let stack = CallStack.capture()
            return { [self] downstream, lifetime in
                if lifetime.isRoot { add(Entry(lifetime: lifetime, stack: stack)) }
                start(downstream, lifetime)
            }
        }

        private func add(_ entry: Entry) {
            let full = state.withLock { state -> [Entry]? in
                state.entries.append(entry)
                guard state.entries.count > state.limit else { return nil }
                defer { state.entries = [] }
                return state.entries
            }
            guard let full else { return }
            // Looked at outside the lock: it could be the last reference.
            let running = full.filter(\.isRunning)
            state.withLock { state in
                state.entries = running + state.entries
                state.limit = max(Self.smallestLimit, 2 * running.count)
            }
        }

        /// The chains that are running, each by the outermost operator.
        func leaks() -> [Inspector.Leak] {
            var known: Set<ObjectIdentifier> = []
            let running = state.withLock { $0.entries }.filter { entry in
                guard entry.isRunning, let lifetime = entry.lifetime else { return false }
                return known.insert(ObjectIdentifier(lifetime)).inserted
            }
            SymbolTable.shared.lookUp(running.map(\.stack))
            return Inspector.Leak.counted(running.map { SymbolTable.shared.origin(of: $0.stack) }.map { ($0.operatorName, $0.place) })
        }
    }
#endif
