import Streams

/// The subscriptions that one test has made, with their places. It retains none of them.
final class InspectedChains: Sendable {
    // Law 9: only the runtime changes the weak reference.
    private struct Entry: @unchecked Sendable {
        weak var lifetime: Lifetime?
        let stack: CallStack

        var isRunning: Bool { lifetime.map { !$0.isDisposed } ?? false }
    }

    private let entries = PrunedList<Entry>(exists: \.isRunning)

    /// Returns a closure that records the subscription and starts it.
    func recording<Element>(
        _ start: @escaping Probe.Start<Element>
    ) -> Probe.Start<Element> {
        let stack = CallStack.capture()
        return { [self] downstream, lifetime in
            if lifetime.isRoot { entries.add(Entry(lifetime: lifetime, stack: stack)) }
            start(downstream, lifetime)
        }
    }

    /// The running chains, each represented by its outermost operator.
    func leaks() -> [Inspector.Leak] {
        var known: Set<ObjectIdentifier> = []
        let running = entries.elements.filter { entry in
            guard entry.isRunning, let lifetime = entry.lifetime else { return false }
            return known.insert(ObjectIdentifier(lifetime)).inserted
        }
        SymbolTable.shared.lookUp(running.map(\.stack))
        return Inspector.Leak.counted(running.map { SymbolTable.shared.origin(of: $0.stack) }.map { ($0.operatorName, $0.place) })
    }
}
