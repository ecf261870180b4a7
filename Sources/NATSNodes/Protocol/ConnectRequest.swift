/// The information that a client gives about itself in answer to the server's information.
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
