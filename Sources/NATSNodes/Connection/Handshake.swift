import Foundation

/// The steps of a new connection, in order: the server's information, TLS, our request, and the answer to a first ping.
struct Handshake: Sendable {
    enum Phase: Sendable, Equatable {
        case awaitingInfo
        case upgrading
        case awaitingPong
        case established
    }

    /// The step that an operation of the server calls for.
    enum Step: Sendable {
        /// TLS begins, and then the request is sent.
        case upgrade
        /// The request is sent.
        case connect
        case establish
        /// The operation belongs to the established connection.
        case handle(ServerOperation)
        case fail(NATSError)
        case ignore
    }

    let address: ServerAddress
    /// Whether this program insists on TLS.
    let requiresTLS: Bool
    private(set) var phase = Phase.awaitingInfo

    init(to address: ServerAddress, requiresTLS: Bool) {
        self.address = address
        self.requiresTLS = requiresTLS
    }

    mutating func receive(_ operation: ServerOperation) -> Step {
        if phase == .established { return .handle(operation) }
        switch (phase, operation) {
        case (_, .error(let text)): return .fail(refusal(text))
        case (.awaitingInfo, .info(let info)): return receive(info)
        case (.awaitingPong, .pong):
            phase = .established
            return .establish
        case (.awaitingPong, .ok): return .ignore
        case (.awaitingPong, .info), (.awaitingPong, .ping): return .handle(operation)
        default: return .fail(.protocolViolation(.unexpected(operation.name)))
        }
    }

    private mutating func receive(_ info: NATSConnection.ServerInfo) -> Step {
        let wantsTLS = requiresTLS || address.requiresTLS
        guard wantsTLS || info.requiresTLS else {
            phase = .awaitingPong
            return .connect
        }
        guard info.requiresTLS || info.offersTLS else { return .fail(.insecure(server: address.name, reason: "it does not offer TLS")) }
        phase = .upgrading
        return .upgrade
    }

    mutating func didUpgrade() {
        phase = .awaitingPong
    }

    /// The error for a message with which a server refuses a connection.
    private func refusal(_ text: String) -> NATSError {
        if text.lowercased().contains("authorization") || text.lowercased().contains("authentication") {
            return .unauthorized(server: address.name, reason: text)
        }
        if text.lowercased().contains("tls") { return .insecure(server: address.name, reason: text) }
        return .connectionLost(server: address.name, reason: text)
    }
}

extension ServerOperation {
    /// The name of the operation in the protocol.
    var name: String {
        switch self {
        case .info: "INFO"
        case .message: "MSG"
        case .ping: "PING"
        case .pong: "PONG"
        case .ok: "+OK"
        case .error: "-ERR"
        }
    }
}

/// The information that a client gives about itself in answer to the server's information.
///
/// Source: [NATS, CONNECT](https://docs.nats.io/reference/reference-protocols/nats-protocol#connect).
struct ConnectRequest: Encodable {
    var verbose = false
    var pedantic = false
    var echo = true
    var headers = true
    var noResponders = true
    var lang = "swift"
    var version = "1.0"
    var protocolVersion = 1
    var name: String?
    var isSecure: Bool
    var user: String?
    var password: String?
    var token: String?
    var jwt: String?
    var nkey: String?
    var signature: String?

    private enum CodingKeys: String, CodingKey {
        case verbose, pedantic, echo, headers, lang, version, name, user, jwt, nkey
        case isSecure = "tls_required"
        case password = "pass"
        case token = "auth_token"
        case signature = "sig"
        case noResponders = "no_responders"
        case protocolVersion = "protocol"
    }
}
