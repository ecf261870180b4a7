import Foundation
public import Streams
public import WebSocketFrames

extension LoopbackServer {
    /// The error of a route's stream that closes a WebSocket with a code.
    public struct WebSocketClose: Error, Sendable, Equatable {
        /// The code.
        public var code: WebSocketMessage.CloseCode
        /// The reason, shortened to 123 bytes.
        public var reason: String

        /// Creates the error.
        public init(_ code: WebSocketMessage.CloseCode, reason: String = "") {
            self.code = code
            self.reason = reason
        }
    }
}

extension LoopbackServer.Route {
    /// Creates a route for WebSockets, whose closure turns the client's messages into the server's.
    ///
    ///     .webSocket("/echo") { _, messages in messages }
    ///
    /// The returned stream is subscribed to when the connection is established. It is suspended while 256 KB wait for a slow client, and
    /// disposed when the client disconnects. Its completion closes the connection with the code 1000, a ``LoopbackServer/WebSocketClose``
    /// with its own code, and any other error with 1011. Faults apply to the bytes after the handshake:
    /// `.with(.reset(at: .inBody(after: 100)))`.
    ///
    /// The client's messages are emitted on the server's queue. They complete when the client closes, and fail when it violates the
    /// protocol. They have one subscriber at a time, and are dropped without one. While the subscriber is suspended, at most 256 KB more
    /// are read from the client's connection, so that the client waits. Its pings and its close frame wait as well, because they follow the
    /// messages; otherwise they are answered at once.
    ///
    /// A request that is not a valid handshake is answered with 400 or 426.
    ///
    /// - Parameters:
    ///   - path: the path of the URL, without its query.
    ///   - subprotocols: the subprotocols that the server speaks; the first of them that the client offers is chosen.
    ///   - maximumMessageSize: the maximum size of a client's message, in bytes; a larger one closes the connection with the code 1009.
    ///   - answer: called for each connection, with the request and the client's messages.
    ///
    /// Source: [RFC 6455](https://www.rfc-editor.org/rfc/rfc6455).
    public static func webSocket(
        _ path: String, subprotocols: [String] = [], maximumMessageSize: Int = 16 << 20,
        answer: @escaping @Sendable (LoopbackServer.Request, Observable<WebSocketMessage>) -> Observable<WebSocketMessage>
    ) -> LoopbackServer.Route {
        LoopbackServer.Route(method: "GET", path: path) { request, reply in
            if let refusal = request.handshakeRefusal {
                reply(refusal)
                return {}
            }
            var headers: HTTPHeaders = [
                "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Accept": WebSocketKey.accept(request.headers["Sec-WebSocket-Key"] ?? ""),
            ]
            headers["Sec-WebSocket-Protocol"] = request.offeredSubprotocols.first(where: subprotocols.contains)
            let upgrade: @Sendable (BodyFeed) -> ConnectionInput = { feed in
                let socket = ServerWebSocket(feed, maximumMessageSize: maximumMessageSize)
                socket.start { answer(request, $0) }
                return ConnectionInput(take: { socket.take(from: &$0) }, stop: { socket.stop() })
            }
            reply(LoopbackServer.Response(status: 101, headers: headers, content: .upgrade(upgrade)))
            return {}
        }
    }
}

extension LoopbackServer.Request {
    /// The response to a request that is not a valid opening handshake.
    fileprivate var handshakeRefusal: LoopbackServer.Response? {
        guard headers.tokens(in: "Upgrade").contains("websocket"), headers.tokens(in: "Connection").contains("upgrade") else {
            return .text("This route speaks WebSocket.\n", status: 426).header("Upgrade", "websocket").header("Connection", "Upgrade")
        }
        guard headers["Sec-WebSocket-Version"] == "13" else {
            return .text("Version 13 is spoken here.\n", status: 426).header("Sec-WebSocket-Version", "13")
        }
        guard minorVersion == 1, headers.values("Sec-WebSocket-Key").count == 1,
            WebSocketKey.isValid(headers["Sec-WebSocket-Key"] ?? "")
        else {
            return .text("The handshake is not valid.\n", status: 400)
        }
        return nil
    }

    /// The offered subprotocols, whose names are case-sensitive.
    fileprivate var offeredSubprotocols: [String] {
        headers.values("Sec-WebSocket-Protocol").flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
