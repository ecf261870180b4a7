/// What one test inspects: the observables that it creates, and nobody else's. Without the inspector it runs its body and shows nothing.
package struct InspectorScope: Sendable {
    #if STREAMS_INSPECTOR
        let streams: InspectedStreams
    #endif

    #if STREAMS_INSPECTOR
        init(_ streams: InspectedStreams) {
            self.streams = streams
        }
    #endif

    /// Creates a scope that keeps so many operators.
    package init(limit: Int = 100_000) {
        #if STREAMS_INSPECTOR
            streams = InspectedStreams(limit: limit)
        #endif
    }

    /// Runs `body`, and inspects what it creates, also in tasks and scheduled actions.
    package func inspecting<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if STREAMS_INSPECTOR
            try Inspection.inspecting(in: streams, body)
        #else
            try body()
        #endif
    }

    /// As the synchronous form.
    package func inspecting<Result>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result) async rethrows
        -> Result
    {
        #if STREAMS_INSPECTOR
            try await Inspection.inspecting(in: streams, isolation: isolation, body)
        #else
            try await body()
        #endif
    }

    /// A snapshot of what is running, with the names and places of the operators, or without: they take ten milliseconds each to look up.
    package func snapshot(withPlaces: Bool = true) -> InspectorSnapshot {
        #if STREAMS_INSPECTOR
            streams.snapshot(withPlaces: withPlaces)
        #else
            .ofThisProcess()
        #endif
    }

    /// The number of operators that are running and kept.
    package var count: Int {
        #if STREAMS_INSPECTOR
            streams.count
        #else
            0
        #endif
    }

    /// The number of objects that are kept, with those that have gone since the last count.
    package var objectCount: Int {
        #if STREAMS_INSPECTOR
            streams.objects.elements.count
        #else
            0
        #endif
    }

    /// Serves its snapshots at `path`, until `Inspector.stop()`.
    package func serve(at path: String) throws {
        #if STREAMS_INSPECTOR
            try InspectorServer.start(at: path, streams)
        #endif
    }
}

/// Names the chains that a test leaves running, at the cost of a record for each subscription.
package struct ChainRecorder: Sendable {
    #if STREAMS_INSPECTOR
        private let chains = InspectedChains()
    #endif

    /// Creates a recorder of no chains.
    package init() {}

    /// Runs `body`, and records what it subscribes to, also in tasks and scheduled actions.
    package func recording<Result>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result) async rethrows
        -> Result
    {
        #if STREAMS_INSPECTOR
            try await Inspection.recording(in: chains, isolation: isolation, body)
        #else
            try await body()
        #endif
    }

    /// The recorded chains that are running.
    package func leaks() -> [Inspector.Leak] {
        #if STREAMS_INSPECTOR
            chains.leaks()
        #else
            []
        #endif
    }
}
