internal import Bytes

/// The request line and the header fields of a request, and their consequences for its body.
struct RequestHead: Sendable, Equatable {
    /// The way in which the length of the body is determined.
    enum BodyLength: Sendable, Equatable {
        case fixed(Int)
        case chunked
    }

    let method: String
    let target: String
    let minorVersion: Int
    var headers = HTTPHeaders()

    /// Parses `GET /path HTTP/1.1`.
    init(line: ArraySlice<UInt8>) throws(RequestFailure) {
        let parts = line.split(separator: .space, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("The request line is not a method, a target and a version.") }
        guard !parts[0].isEmpty, parts[0].allSatisfy(isTokenByte) else { throw .malformed("The method is not a token.") }
        guard parts[1].allSatisfy(\.isTargetCharacter) else { throw .malformed("The target has a character that must be escaped.") }
        minorVersion = try Self.minorVersion(parts[2])
        method = String(decoding: parts[0], as: UTF8.self)
        target = try Self.originForm(String(decoding: parts[1], as: UTF8.self), method: method)
    }

    /// The target without its query, percent-encoded.
    var path: Substring { target.prefix { $0 != "?" } }

    /// Returns this request line with the given fields.
    func with(_ headers: HTTPHeaders) -> RequestHead {
        var head = self
        head.headers = headers
        return head
    }

    /// Parses `Name: value`.
    static func field(line: ArraySlice<UInt8>) throws(RequestFailure) -> HTTPHeaders.Field {
        if line.first?.isBlank == true { throw .malformed("A header line begins with a blank.") }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("A header line has no colon.") }
        let name = line[..<colon]
        let value = line[line.index(after: colon)...]
        guard !name.isEmpty, name.allSatisfy(isTokenByte) else { throw .malformed("A header name is not a token.") }
        guard value.allSatisfy(\.isFieldValueCharacter) else { throw .malformed("A header value has a control character.") }
        return HTTPHeaders.Field(name: String(decoding: name, as: UTF8.self), value: HeaderText.text(value.trimmingBlanks))
    }

    /// Returns the length of the body. Rejects every head that RFC 9112 declares an error, which prevents request smuggling.
    func bodyLength(limit: Int) throws(RequestFailure) -> BodyLength {
        try checkHost()
        let codings = headers.tokens(in: "Transfer-Encoding")
        let lengths = headers.values("Content-Length")
        // A field without a value counts too: another server may take it for a coding.
        guard headers.values("Transfer-Encoding").isEmpty else {
            guard lengths.isEmpty else { throw .malformed("Content-Length and Transfer-Encoding exclude each other.") }
            guard minorVersion == 1 else { throw .malformed("HTTP/1.0 has no transfer coding.") }
            guard codings == ["chunked"] else { throw .unknownCoding }
            return .chunked
        }
        guard let length = lengths.first else { return .fixed(0) }
        guard lengths.allSatisfy({ $0 == length }), !length.isEmpty, length.utf8.allSatisfy(\.isDigit) else {
            throw .malformed("Content-Length is not one number.")
        }
        guard let count = Int(length), count <= limit else { throw .bodyTooLarge }
        return .fixed(count)
    }

    /// HTTP/1.0 does not require the field.
    ///
    /// Source: [RFC 9112, 3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2).
    private func checkHost() throws(RequestFailure) {
        let hosts = headers.values("Host")
        guard hosts.count == 1 || hosts.isEmpty && minorVersion == 0 else { throw .malformed("There must be exactly one Host header.") }
        guard hosts.allSatisfy(\.isHostAndPort) else { throw .malformed("The Host header is not a host, or a host and a port.") }
    }

    /// Whether the client waits for `100 Continue` before it sends the body.
    func expectsContinue() throws(RequestFailure) -> Bool {
        let expectations = headers.tokens(in: "Expect")
        guard let expectation = expectations.first else { return false }
        guard expectations.count == 1, expectation == "100-continue" else { throw .unknownExpectation }
        return minorVersion == 1
    }

    /// Whether the connection stays open after the response.
    var keepsAlive: Bool {
        let options = headers.tokens(in: "Connection")
        return minorVersion == 1 ? !options.contains("close") : options.contains("keep-alive") && !options.contains("close")
    }

    private static func minorVersion(_ bytes: ArraySlice<UInt8>) throws(RequestFailure) -> Int {
        switch String(decoding: bytes, as: UTF8.self) {
        case "HTTP/1.1": return 1
        case "HTTP/1.0": return 0
        case let text where text.hasPrefix("HTTP/") && text.utf8.count == 8: throw .unknownVersion
        default: throw .malformed("The version is not HTTP/1.0 or HTTP/1.1.")
        }
    }

    /// Returns the path of an absolute target such as `http://host/path`, which clients send to proxies.
    private static func originForm(_ target: String, method: String) throws(RequestFailure) -> String {
        if target.hasPrefix("/") || (target == "*" && method == "OPTIONS") { return target }
        let scheme = target.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), target.dropFirst(scheme.count).hasPrefix("://") else {
            throw .malformed("The target is neither a path nor a URL.")
        }
        let afterScheme = target.drop { $0 != ":" }.dropFirst(3)
        let host = afterScheme.prefix { !"/?".contains($0) }
        guard host.isHostAndPort else { throw .malformed("The target's host is not a host, or a host and a port.") }
        let rest = afterScheme[host.endIndex...]
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }
}

/// The reason why the bytes of a client are not a valid request, and the status of the response.
struct RequestFailure: Error, Sendable, Equatable {
    let status: Int
    let reason: String

    static func malformed(_ reason: String) -> RequestFailure { RequestFailure(status: 400, reason: reason) }
    static let tooSlow = RequestFailure(status: 408, reason: "The request took longer than this server waits.")
    static let bodyTooLarge = RequestFailure(status: 413, reason: "The body is larger than this server accepts.")
    static let targetTooLong = RequestFailure(status: 414, reason: "The request line is longer than this server accepts.")
    static let headerTooLarge = RequestFailure(status: 431, reason: "The header is larger than this server accepts.")
    static let unknownExpectation = RequestFailure(status: 417, reason: "Only \"Expect: 100-continue\" is supported.")
    static let unknownCoding = RequestFailure(status: 501, reason: "Only the transfer coding \"chunked\" is supported.")
    static let unknownVersion = RequestFailure(status: 505, reason: "Only HTTP/1.0 and HTTP/1.1 are supported.")
}
