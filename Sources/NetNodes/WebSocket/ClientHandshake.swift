import Foundation
import Streams
import WebSocketFrames

/// The opening handshake of a client: its request, and the check of the response.
///
/// Source: [RFC 6455, 4](https://www.rfc-editor.org/rfc/rfc6455#section-4).
struct ClientHandshake: Sendable {
    /// The answer of the server.
    enum Answer: Sendable {
        /// More bytes are needed.
        case incomplete
        /// The handshake is complete; `rest` is the beginning of the frames.
        case accepted(HTTPResponse.Head, subprotocol: String?, rest: Data)
        case redirected(HTTPRequest)
    }

    /// The headers that are part of the handshake.
    private static let ownHeaders = [
        "Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions",
        "Content-Length", "Transfer-Encoding",
    ]

    private let request: HTTPRequest
    private let subprotocols: [String]
    /// The number of redirects that were followed earlier.
    let redirects: Int
    private let key: String
    private var parser: MessageParser
    private var head: HTTPResponse.Head?

    /// - Parameters:
    ///   - request: a request with an `http` or `https` URL.
    ///   - redirects: the number of redirects that were followed earlier.
    init(_ request: HTTPRequest, subprotocols: [String], redirects: Int) throws(TransportError) {
        var request = request
        request.method = .get
        request.body = .none
        try request.validate()
        for name in subprotocols where name.isEmpty || !name.utf8.allSatisfy(isTokenByte) {
            throw .invalidHeader(name: "Sec-WebSocket-Protocol", reason: "\"\(name.escapedForDisplay)\" is not the name of a subprotocol")
        }
        self.request = request
        self.subprotocols = subprotocols
        self.redirects = redirects
        var bytes = Data(count: 16)
        bytes.withUnsafeMutableBytes { CurrentRandomNumberGenerator().fill($0) }
        key = bytes.base64EncodedString()
        parser = MessageParser(
            .client, limits: .init(startLine: request.limits.maximumHeaderSize, header: request.limits.maximumHeaderSize))
    }

    /// Returns the endpoint to connect to.
    func endpoint(_ options: TLSOptions) -> SocketConnection.Endpoint {
        let isSecure = request.url.scheme?.lowercased() == "https"
        return SocketConnection.Endpoint(
            host: request.url.plainHost ?? "", port: request.url.effectivePort, security: isSecure ? .tls(options) : .plain)
    }

    /// The request on the wire.
    var bytes: Data {
        var headers: HTTPHeaders = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
        ]
        if !subprotocols.isEmpty { headers.append("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")) }
        if request.headers["User-Agent"] == nil { headers.append("User-Agent", "NetNodes") }
        for field in request.headers where !Self.ownHeaders.contains(where: field.name.equalsIgnoringASCIICase) {
            headers.append(field.name, field.value)
        }
        return Data(MessageHead("GET", request.url, headers).bytes)
    }

    /// Consumes bytes of the response.
    ///
    /// - Parameter isEnd: whether the server has closed.
    /// - Throws: an ``HTTPError`` for a status from 400 on, otherwise a ``WebSocketConnection/Failure`` or a `TransportError`.
    mutating func consume(_ bytes: Data, isEnd: Bool = false) throws -> Answer {
        bytes.withUnsafeBytes { parser.append($0) }
        if head == nil {
            switch parser.next() {
            case .head(let head, _): self.head = HTTPResponse.Head(status: head.status, headers: head.headers, url: request.url)
            case .failed(let fault): throw TransportError.malformedResponse(url: url, reason: fault.reason)
            case .needsInput, .bytes, .end: break
            }
        }
        if let head { return try answer(head, parser.rest, isEnd: isEnd) }
        guard !isEnd else { throw TransportError.connectionLost(url: url, reason: "it was closed before the header was complete") }
        return .incomplete
    }

    private func answer(_ head: HTTPResponse.Head, _ rest: ArraySlice<UInt8>, isEnd: Bool) throws -> Answer {
        if head.status == 101 { return .accepted(head, subprotocol: try check(head.headers), rest: Data(rest)) }
        if let next = try redirect(head) { return .redirected(next) }
        guard head.status >= 400 else { throw WebSocketConnection.Failure.handshake(url: url, reason: "it responded with \(head.status)") }
        let length = min(head.headers["Content-Length"].flatMap { Int($0) } ?? 0, UnsuccessfulResponse.limit)
        guard rest.count >= length || isEnd else { return .incomplete }
        throw HTTPError(HTTPResponse(head: head, body: Data(rest.prefix(UnsuccessfulResponse.limit))))
            ?? TransportError.malformedResponse(url: url, reason: "its status is not valid")
    }

    private func redirect(_ head: HTTPResponse.Head) throws(TransportError) -> HTTPRequest? {
        var headers = head.headers
        if let location = headers["Location"] { headers["Location"] = httpAddress(location) }
        return try Redirect.next(after: request, status: head.status, headers: headers, count: redirects)
    }

    private func check(_ headers: HTTPHeaders) throws(WebSocketConnection.Failure) -> String? {
        guard headers.tokens(in: "Upgrade").contains("websocket"), headers.tokens(in: "Connection").contains("upgrade") else {
            throw .handshake(url: url, reason: "it switched to another protocol")
        }
        guard headers["Sec-WebSocket-Accept"] == WebSocketKey.accept(key), headers.values("Sec-WebSocket-Accept").count == 1 else {
            throw .handshake(url: url, reason: "its Sec-WebSocket-Accept does not match the key")
        }
        guard headers["Sec-WebSocket-Extensions"] == nil else {
            throw .handshake(url: url, reason: "it uses an extension that was not offered")
        }
        let chosen = headers.values("Sec-WebSocket-Protocol")
        guard chosen.allSatisfy(subprotocols.contains), chosen.count <= 1 else {
            throw .handshake(url: url, reason: "it chose a subprotocol that was not offered")
        }
        return chosen.first
    }

    private var url: String { request.redactedURL }
}

/// Returns `http` for `ws` and `https` for `wss`: the opening handshake is a request.
func httpAddress(_ address: String) -> String {
    for (webSocket, http) in [("ws://", "http://"), ("wss://", "https://")] where address.lowercased().hasPrefix(webSocket) {
        return http + address.dropFirst(webSocket.count)
    }
    return address
}
