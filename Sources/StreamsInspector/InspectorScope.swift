import Streams

/// The scope that one test inspects: the observables that it creates, and nobody else's. Without the inspector, it runs its body and shows
/// nothing.
package struct InspectorScope: Sendable {
    let streams: InspectedStreams

    init(_ streams: InspectedStreams) {
        self.streams = streams
    }

    /// Creates a scope that keeps at most `limit` operators.
    package init(limit: Int = 100_000) {
        streams = InspectedStreams(limit: limit)
    }

    /// Runs `body`, and inspects the observables that it creates, including those in tasks and scheduled actions.
    package func inspecting<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Inspection.inspecting(in: streams, body)
    }

    /// The asynchronous form of the method above.
    package func inspecting<Result>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result) async rethrows
        -> Result
    {
        try await Inspection.inspecting(in: streams, isolation: isolation, body)
    }

    /// Takes a snapshot of the running operators, with or without their names and places: looking them up takes ten milliseconds for each.
    package func snapshot(withPlaces: Bool = true) -> InspectorSnapshot {
        streams.snapshot(names: withPlaces ? SymbolTable.shared : nil)
    }

    /// The number of operators that are running and kept.
    package var count: Int {
        streams.count
    }

    /// The number of objects that are kept, including those that have gone since the last count.
    package var objectCount: Int {
        streams.objects.elements.count
    }

    /// Serves its snapshots at `path`, until `Inspector.stop()`.
    package func serve(at path: String) throws {
        try InspectorServer.start(at: path, streams)
    }
}

/// Names the chains that a test leaves running, at the cost of a record for each subscription.
package struct ChainRecorder: Sendable {
    private let chains = InspectedChains()

    /// Creates a recorder of no chains.
    package init() {}

    /// Runs `body`, and records its subscriptions, including those in tasks and scheduled actions.
    package func recording<Result>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result) async rethrows
        -> Result
    {
        try await Inspection.recording(in: chains, isolation: isolation, body)
    }

    /// The recorded chains that are running.
    package func leaks() -> [Inspector.Leak] {
        chains.leaks()
    }
}

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
