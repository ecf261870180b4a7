extension Observer {
    /// Shows this context in the inspector until its operation has ended.
    @usableFromInline
    final func showInInspector() {
        Probe.shown(self, as: "Context") { context in
            guard !context.hasEnded else { return nil }
            let operation = context.state.withLock { $0.operation }
            var upstreams: [any AnyObject & Sendable] = operation?.sources ?? []
            if let operation { upstreams.append(operation.lifetime) }
            return Probe.Facts(context.summary, upstreams: upstreams)
        }
    }

    private final var summary: String {
        switch latest.flatMap({ $0 }) {
        case nil: "pending"
        case .data: "has data"
        case .failure(let error): "has failed: \(redactedDescription(of: error))"
        case .cancelled: "cancelled"
        }
    }
}
