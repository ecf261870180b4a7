import Foundation
import LoopbackServer
import WebSocketFrames

@testable import NetNodes

extension LoopbackServer {
    /// The request of a handshake.
    func webSocket(_ path: String = "/socket", headers: HTTPHeaders = [:]) -> HTTPRequest {
        HTTPRequest(.get, URL(string: "ws://127.0.0.1:\(port)\(path)") ?? baseURL, headers: headers)
    }
}

extension LoopbackServer.Route {
    static let echo = LoopbackServer.Route.webSocket("/socket") { _, messages in messages }
}

extension ScriptedServer {
    /// A server that accepts the handshake, and then does what the script says.
    static func acceptingWebSockets(_ script: @escaping Script) throws -> ScriptedServer {
        try ScriptedServer { connection in
            guard let request = connection.readRequest() else { return }
            let accept = WebSocketKey.accept(request.headers["sec-websocket-key"] ?? "")
            connection.send(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n")
            script(connection)
        }
    }

    var webSocket: HTTPRequest {
        HTTPRequest(.get, URL(string: "ws://127.0.0.1:\(port)/") ?? url())
    }
}
