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
