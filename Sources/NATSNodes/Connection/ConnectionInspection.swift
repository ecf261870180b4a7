import SocketNodes

/// The facts that the inspector shows of a connection.
extension ConnectionCore {
    func showInInspector() {
        Probe.shown(self, as: "NATSConnection") { core in
            Probe.Facts(core.summary, upstreams: (core.attempts.disposable as? Lifetime).map { [$0] } ?? [])
        }
    }

    /// Shows that the stream that is being started uses the connection.
    func noteUse() {
        Probe.shared(self) { core in core.shared.withLock { $0.state.phase == .ready } }
    }

    private var summary: String {
        shared.withLock { shared in
            let state = shared.state
            let server = state.address.map { " \($0.name)" } ?? ""
            let phase =
                switch state.phase {
                case .idle: "not used yet"
                case .connecting: "connecting to\(server)\(state.attempts)"
                case .ready: "connected to\(server)"
                case .reconnecting: "reconnecting to\(server)\(state.attempts)"
                case .closed: "closed"
                }
            return phase
                + ", \(state.subscriptions.count) subscriptions, \(shared.requests.count) requests, \(state.pendingBytes) bytes waiting"
        }
    }
}

extension ConnectionState {
    fileprivate var attempts: String { failures > 0 ? ", \(failures) attempts failed" : "" }
}
