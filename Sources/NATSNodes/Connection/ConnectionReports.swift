import Foundation
import SocketNodes

/// Reports of a session.
extension ConnectionCore {
    /// Emits the proof of identity for one connection to a server.
    func proof(for address: ServerAddress) -> Observable<IdentityProof?> {
        if let credentials = configuration.credentials { return credentials.proof.map { Optional($0) } }
        guard let user = address.user else { return Observable.just(nil) }
        let proof = address.password.map { IdentityProof.user(user, password: $0) } ?? .token(user)
        return .just(proof)
    }

    func receive(_ info: NATSConnection.ServerInfo) {
        shared.withLock { $0.state.receive(info, discovering: configuration.usesDiscoveredServers) }
        if info.isLameDuck { report(.lameDuck(info)) }
    }

    /// Sends over the socket from now on, unless the session has ended: its last bytes may be read when it was given up already.
    ///
    /// - Returns: whether the session goes on.
    func didConnect(_ socket: SocketConnection, in session: Int) -> Bool {
        let now = configuration.scheduler.now
        let event = shared.withLock { shared -> NATSConnection.Event? in
            guard session == shared.state.session else { return nil }
            shared.socket = socket
            shared.connectedAt = now
            let info = shared.state.info ?? NATSConnection.ServerInfo()
            return shared.state.didConnect() ? .reconnected(info) : .connected(info)
        }
        guard let event else { return false }
        report(event)
        pump()
        return true
    }

    /// Returns the result of `body` for a message of another program. If `body` fails, it reports the message and returns `nil`: one such
    /// message ends no stream.
    @discardableResult
    func unlessSkipped<Result>(_ body: () throws(NATSError) -> Result) -> Result? {
        do throws(NATSError) { return try body() } catch {
            report(.skipped(error, count: skipped.add(1, ordering: .relaxed).newValue))
            return nil
        }
    }

    /// The observers of the current subscriptions.
    var receivers: [Int: AnyObserver<NATSMessage<Data>>] {
        shared.withLock { $0.receivers }
    }

    func receivePing() throws(NATSError.ProtocolViolation) {
        let outcome = shared.withLock { shared -> Result<Void, NATSError.ProtocolViolation> in
            do throws(NATSError.ProtocolViolation) { return .success(try shared.state.receivePing()) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    func receivePong() throws(NATSError.ProtocolViolation) {
        let outcome = shared.withLock { shared -> Result<(@Sendable ((any Error)?) -> Void)?, NATSError.ProtocolViolation> in
            do throws(NATSError.ProtocolViolation) {
                return .success(try shared.state.receivePong().flatMap { shared.flushes.removeValue(forKey: $0) })
            } catch { return .failure(error) }
        }
        try outcome.get()?(nil)
    }

    func checkConnection() -> Int {
        let outstanding = shared.withLock { $0.state.checkConnection() }
        pump()
        return outstanding
    }

    /// Fails the subscriptions and the requests to a subject that the user may not use, and reports the subject.
    func forbid(_ text: String) {
        let quoted = text.split(separator: "\"", omittingEmptySubsequences: false)
        let subject = quoted.count > 1 ? String(quoted[1]) : ""
        let error = NATSError.forbidden(subject: subject, reason: text)
        let isSubscription = text.lowercased().contains("subscription")
        let observers = shared.withLock { shared in
            guard isSubscription else { return shared.requests.removeAll(forbidden: subject) }
            let ids = shared.state.subscriptions.filter { $0.value.subject == subject }.map(\.key)
            for id in ids { shared.state.unsubscribe(id) }
            return ids.compactMap { shared.receivers.removeValue(forKey: $0) }
        }
        for observer in observers { observer.onError(error) }
        report(.serverError(error))
    }
}

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
