import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite(
    "Secure WebSockets", .enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), .countsResources, .stopsServers,
    .blocksThread)
struct WebSocketSecurityTests {
    /// Accepts a handshake over TLS, sends a text and closes.
    private static func webSocketServer(_ directory: String) -> String {
        SecureServer.serving(
            directory,
            """
            import base64, hashlib, re
            def serve(client):
                try:
                    secure = context.wrap_socket(client, server_side=True)
                    request = secure.recv(65536)
                    found = re.search(rb"Sec-WebSocket-Key: (\\S+)", request)
                    accept = base64.b64encode(hashlib.sha1(found[1] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
                    secure.sendall(b"HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
                        + b"Sec-WebSocket-Accept: " + accept + b"\\r\\n\\r\\n" + b"\\x81\\x05Hello\\x88\\x02\\x03\\xe8")
                    secure.recv(65536)
                    secure.unwrap()
                except Exception: pass
                client.close()
            """)
    }

    @Test func `Where verification is switched off, an unknown authority and another name are accepted`() throws {
        let server = try SecureServer(script: Self.webSocketServer)
        // The certificate is for the address only.
        let request = HTTPRequest(.get, try "wss://localhost:\(server.port)/".url())
        let ended = WebSocketNode(tls: TLSOptions(verifiesServer: false)).messages(request).ended()
        #expect(ended.elements == [.text("Hello")])
        #expect(ended.error == nil)
    }

    @Test func `Verification that is switched off for one connection is not for the next`() throws {
        let server = try SecureServer(script: Self.webSocketServer)
        let request = HTTPRequest(.get, try "wss://127.0.0.1:\(server.port)/".url())
        #expect(WebSocketNode(tls: TLSOptions(verifiesServer: false)).messages(request).ended().elements == [.text("Hello")])
        let trusting = TLSOptions(certificateAuthorities: server.certificate.path)
        #expect(WebSocketNode(tls: trusting).messages(request).ended().elements == [.text("Hello")])
        #expect(WebSocketNode().messages(request).ended().error?.kind == "TransportError.secureConnectionFailed")
    }
}
