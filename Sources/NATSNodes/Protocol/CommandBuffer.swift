import Foundation

/// Encodes what a client sends. Everything in it has been checked: subjects, headers and sizes.
struct CommandBuffer: Sendable {
    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }
    var count: Int { bytes.count }

    mutating func connect(_ request: Data) {
        bytes += "CONNECT ".utf8
        bytes += request
        endLine()
    }

    mutating func publish(_ subject: String, reply: String?, headers: [UInt8]?, payload: Data) {
        bytes += headers == nil ? Self.pub : Self.hpub
        append(subject)
        if let reply { append(reply) }
        if let headers { append(headers.count) }
        append((headers?.count ?? 0) + payload.count)
        bytes[bytes.count - 1] = 0x0D
        bytes.append(0x0A)
        if let headers { bytes += headers }
        payload.withUnsafeBytes { bytes.append(contentsOf: $0) }
        endLine()
    }

    mutating func subscribe(_ subject: String, queue: String?, id: Int) {
        bytes += Self.sub
        append(subject)
        if let queue { append(queue) }
        append(id)
        bytes.removeLast()
        endLine()
    }

    mutating func unsubscribe(_ id: Int) {
        bytes += "UNSUB \(id)\r\n".utf8
    }

    mutating func ping() {
        bytes += "PING\r\n".utf8
    }

    mutating func pong() {
        bytes += "PONG\r\n".utf8
    }

    mutating func append(_ other: CommandBuffer) {
        bytes += other.bytes
    }

    /// Removes and returns everything.
    mutating func take() -> Data {
        defer { bytes.removeAll(keepingCapacity: bytes.count <= Self.keptCapacity) }
        return Data(bytes)
    }

    private static let pub = Array("PUB ".utf8)
    private static let hpub = Array("HPUB ".utf8)
    private static let sub = Array("SUB ".utf8)
    /// A buffer that grew while a connection was slow is not kept forever.
    private static let keptCapacity = 1 << 20

    private mutating func endLine() {
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(0x20)
    }

    private mutating func append(_ number: Int) {
        if number >= 10 { appendDigits(number / 10) }
        bytes.append(UInt8(0x30 + number % 10))
        bytes.append(0x20)
    }

    private mutating func appendDigits(_ number: Int) {
        if number >= 10 { appendDigits(number / 10) }
        bytes.append(UInt8(0x30 + number % 10))
    }
}

/// What a client says of itself after a server's information.
///
/// Source: [NATS, CONNECT](https://docs.nats.io/reference/reference-protocols/nats-protocol#connect).
struct ConnectRequest: Encodable {
    var verbose = false
    var pedantic = false
    var echo = true
    var headers = true
    var lang = "swift"
    var version = "1.0"
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

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(verbose, forKey: .verbose)
        try values.encode(pedantic, forKey: .pedantic)
        try values.encode(echo, forKey: .echo)
        try values.encode(headers, forKey: .headers)
        try values.encode(headers, forKey: .noResponders)
        try values.encode(lang, forKey: .lang)
        try values.encode(version, forKey: .version)
        try values.encode(1, forKey: .protocolVersion)
        try values.encode(isSecure, forKey: .isSecure)
        try values.encodeIfPresent(name, forKey: .name)
        try values.encodeIfPresent(user, forKey: .user)
        try values.encodeIfPresent(password, forKey: .password)
        try values.encodeIfPresent(token, forKey: .token)
        try values.encodeIfPresent(jwt, forKey: .jwt)
        try values.encodeIfPresent(nkey, forKey: .nkey)
        try values.encodeIfPresent(signature, forKey: .signature)
    }
}
