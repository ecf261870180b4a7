import Foundation
import SocketNodes

/// One connection to one server, from its socket to its loss.
///
/// Sound: `parser`, `receivers`, `latest`, `isEstablished` and `serverError` are used only in the deliveries of the socket, which are
/// serialized (law 2).
final class Session: @unchecked Sendable {
    private let core: ConnectionCore
    private let socket: SocketConnection
    private let address: ServerAddress
    private let number: Int
    private let proof: IdentityProof?
    private let secrets: ConnectionSecrets
    private let observer: AnyObserver<Never>
    private let handshake: Lock<Handshake>
    private let resources = CompositeDisposable()
    private var parser: OperationParser
    /// The observers while a piece of bytes is handled. Messages of a subscription that is made meanwhile arrive in a later piece.
    private var receivers: [Int: AnyObserver<NATSMessage<Data>>] = [:]
    /// The subscription of the last message: most messages belong to the same subscription as the previous one.
    @exclusivity(unchecked) private var latestID = 0
    @exclusivity(unchecked) private var latest: Receiver?
    @exclusivity(unchecked) private var isEstablished = false
    /// The error that the server reported before it closed.
    private var serverError: NATSError?

    /// An observer that cannot be copied: it is called where it is stored, without being retained.
    private struct Receiver: ~Copyable {
        let observer: AnyObserver<NATSMessage<Data>>
    }

    private init(
        _ core: ConnectionCore, _ socket: SocketConnection, _ address: ServerAddress, _ number: Int, _ proof: IdentityProof?,
        _ observer: AnyObserver<Never>
    ) {
        self.core = core
        self.socket = socket
        self.address = address
        self.number = number
        self.proof = proof
        secrets = ConnectionSecrets(proof)
        self.observer = observer
        handshake = Lock(Handshake(to: address, requiresTLS: core.configuration.tls != nil))
        parser = OperationParser(limits: .init(message: core.configuration.maximumMessageSize))
    }

    /// Connects, and fails with a ``NATSError`` when the connection is lost. Disposing closes the connection.
    ///
    /// - Parameter number: the number of the session.
    static func stream(_ core: ConnectionCore, to address: ServerAddress, _ number: Int) -> Observable<Never> {
        let endpoint = SocketConnection.Endpoint(host: address.host, port: address.port)
        let configuration = core.configuration
        let timeouts = SocketConnection.Timeouts(connect: configuration.connectTimeout, idle: nil)
        let node = SocketNode(timeouts: timeouts, overflow: .unbounded, scheduler: configuration.scheduler)
        return core.proof(for: address).flatMap { proof in
            node.stream(endpoint).flatMap { socket in
                Observable<Never>.create { observer in
                    Session(core, socket, address, number, proof, observer).start()
                }
            }
        }
        .concat(Observable.error(NATSError.connectionLost(server: address.name, reason: "it was closed")))
        .catch { .error(NATSError(connecting: $0, to: address)) }
    }

    private func start() -> any Disposable {
        let limit = core.configuration.connectTimeout
        let timer = core.configuration.scheduler.schedule(after: limit) { [self] in
            guard handshake.withLock({ $0.phase != .established }) else { return }
            observer.onError(NATSError.connectionLost(server: address.name, reason: "it has not accepted the connection within \(limit)"))
        }
        _ = resources.insert(timer)
        let bytes = socket.received(on: core.deliveries).subscribe(
            onNext: { [self] in receive($0) }, onError: { [self] in observer.onError(serverError ?? $0) },
            onCompleted: { [self] in
                observer.onError(serverError ?? NATSError.connectionLost(server: address.name, reason: "the server closed it"))
            })
        _ = resources.insert(bytes)
        return resources
    }

    private func receive(_ bytes: Data) {
        receivers = core.receivers
        do throws(NATSError.ProtocolViolation) {
            try parser.consume(bytes) { receive($0) }
        } catch { fail(.protocolViolation(secrets.redact(error))) }
        if let error = parser.malformedHeaders.take() { core.report(.serverError(.protocolViolation(error))) }
        (receivers, latestID) = ([:], 0)
        latest = nil
        if !isEstablished, handshake.withLock({ $0.phase == .upgrading }), !parser.isAtBoundary {
            fail(.protocolViolation(.unexpected("bytes before TLS")))
        }
        core.pump()
    }

    private func receive(_ operation: consuming ServerOperation) {
        guard !isEstablished else { return handle(operation) }
        var operation = operation
        if case .error(let text) = operation { operation = .error(secrets.redact(text)) }
        switch handshake.withLock({ $0.receive(operation) }) {
        case .handle(let operation): handle(operation)
        case .upgrade:
            if case .info(let info) = operation { core.receive(info) }
            upgrade()
        case .connect:
            if case .info(let info) = operation { core.receive(info) }
            connect()
        case .establish:
            isEstablished = true
            establish()
        case .fail(let error): fail(error)
        case .ignore: break
        }
    }

    private func deliver(_ message: consuming NATSMessage<Data>, to id: Int) {
        if id != latestID {
            guard let receiver = receivers[id] else { return }
            latestID = id
            latest = Receiver(observer: receiver)
        }
        switch latest {
        case .some(let receiver): receiver.observer.onNext(message)
        case nil: break
        }
    }

    private func handle(_ operation: consuming ServerOperation) {
        switch consume operation {
        case .message(let message, let subscription): deliver(message, to: subscription)
        case .ping: check { () throws(NATSError.ProtocolViolation) in try core.receivePing() }
        case .pong: check { () throws(NATSError.ProtocolViolation) in try core.receivePong() }
        case .info(let info): core.receive(info)
        case .ok: break
        case .error(let text): receiveError(secrets.redact(text))
        }
    }

    private func check(_ body: () throws(NATSError.ProtocolViolation) -> Void) {
        do throws(NATSError.ProtocolViolation) { try body() } catch { fail(.protocolViolation(error)) }
    }

    private func upgrade() {
        let upgrade = socket.upgradeToTLS(core.configuration.tls ?? TLSOptions()).subscribe(
            onCompleted: { [self] in
                handshake.withLock { $0.didUpgrade() }
                connect()
            }, onError: { [self] in observer.onError($0) })
        _ = resources.insert(upgrade)
    }

    private func connect() {
        do {
            var request = ConnectRequest(name: core.configuration.name, isSecure: socket.isSecure)
            request.echo = core.configuration.receivesOwnMessages
            try proof?.authorize(&request, nonce: core.info?.nonce)
            var commands = CommandBuffer()
            commands.connect(try JSONEncoder().encode(request))
            commands.ping()
            socket.send(commands.take())
        } catch { observer.onError(error) }
    }

    private func establish() {
        guard core.didConnect(socket, in: number) else { return }
        let configuration = core.configuration
        let checks = configuration.scheduler.schedulePeriodic(after: configuration.pingInterval, every: configuration.pingInterval) {
            [self] in
            let outstanding = core.checkConnection()
            guard outstanding > configuration.maximumOutstandingPings else { return }
            observer.onError(NATSError.connectionLost(server: address.name, reason: "it does not answer"))
        }
        _ = resources.insert(checks)
    }

    /// Handles an error that the server reports after it has accepted the connection.
    private func receiveError(_ text: String) {
        let words = text.lowercased()
        if words.hasPrefix("permissions violation") {
            core.forbid(text)
        } else if words.contains("authorization") || words.contains("authentication") {
            fail(.unauthorized(server: address.name, reason: text))
        } else if words.hasPrefix("invalid") {
            core.report(.serverError(.connectionLost(server: address.name, reason: text)))
        } else {
            // The server closes the connection after this error.
            serverError = .connectionLost(server: address.name, reason: text)
        }
    }

    private func fail(_ error: NATSError) {
        observer.onError(error)
        resources.dispose()
    }
}

extension NATSError {
    /// Creates the error of a connection that was not made, or was lost.
    init(connecting error: any Error, to address: ServerAddress) {
        switch error {
        case let error as NATSError: self = error
        case TransportError.secureConnectionFailed(_, let reason): self = .insecure(server: address.name, reason: reason)
        case TransportError.cannotConnect(_, let reason), TransportError.connectionLost(_, let reason):
            self = .connectionLost(server: address.name, reason: reason)
        case let error as TransportError:
            self = .connectionLost(server: address.name, reason: error.description.withoutFullStop)
        default: self = .connectionLost(server: address.name, reason: redactedText(of: error))
        }
    }
}

extension String {
    var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// Returns the part of another error's text that may be shown.
func redactedText(of error: any Error) -> String {
    redactedDescription(of: error).withoutFullStop
}
