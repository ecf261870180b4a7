import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite(
    "Certificates of sockets", .enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), .countsResources, .stopsServers,
    .blocksThread)
struct SocketCertificateTests {
    /// A client's certificate, and its key as it is and encrypted.
    private final class Identity {
        static let password = "hunter2-of-the-key"

        let directory = TemporaryDirectory()
        var certificate: String { path("cert.pem") }
        var key: String { path("key.pem") }
        var encryptedKey: String { path("encrypted.pem") }

        init() throws {
            try SecureServer.makeCertificate(in: directory.url)
            try SecureServer.run("/usr/bin/env openssl pkcs8 -topk8 -in \(key) -out \(encryptedKey) -passout pass:\(Self.password)")
        }

        private func path(_ name: String) -> String { directory.url.appending(path: name).path }
    }

    /// A server that tells a client the name in its certificate, which must be this one.
    private func makeServer(trusting certificate: String) throws -> SecureServer {
        try SecureServer { directory in
            SecureServer.serving(
                directory,
                """
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations("\(certificate)")
                def serve(client):
                    try:
                        secure = context.wrap_socket(client, server_side=True)
                        secure.sendall(dict(x[0] for x in secure.getpeercert()["subject"])["commonName"].encode())
                        secure.unwrap()
                    except Exception: pass
                    client.close()
                """)
        }
    }

    private func connect(to server: SecureServer, _ certificate: TLSOptions.ClientCertificate?) -> Ended<Data> {
        let options = TLSOptions(certificateAuthorities: server.certificate.path, clientCertificate: certificate)
        return SocketNode().stream(SocketEndpoint(host: "127.0.0.1", port: server.port, security: .tls(options)))
            .flatMap(\.received).ended()
    }

    @Test func `a server that asks for the client's certificate gets it, also with an encrypted key`() throws {
        let identity = try Identity()
        defer { withExtendedLifetime(identity) {} }
        let server = try makeServer(trusting: identity.certificate)
        for certificate in [
            TLSOptions.ClientCertificate(certificate: identity.certificate, key: identity.key),
            .init(certificate: identity.certificate, key: identity.encryptedKey, password: Identity.password),
        ] {
            let ended = connect(to: server, certificate)
            #expect(ended.elements.reduce(Data(), +) == Data("test".utf8))
            #expect(ended.error == nil)
        }
    }

    @Test func `without a certificate, or with one that the server does not know, no byte arrives, whenever the server says so`() throws {
        let (identity, other) = (try Identity(), try Identity())
        defer { withExtendedLifetime((identity, other)) {} }
        let server = try makeServer(trusting: identity.certificate)
        for certificate in [nil, TLSOptions.ClientCertificate(certificate: other.certificate, key: other.key)] {
            let ended = connect(to: server, certificate)
            #expect(ended.elements.isEmpty)
            switch ended.error as? TransportError {
            // With TLS 1.3 the server refuses after the client's handshake, and its reset may overtake what it says.
            case .secureConnectionFailed(let url, _)?, .connectionLost(let url, _)?:
                #expect(url == "tls://127.0.0.1:\(server.port)")
            case let error: Issue.record("\(String(describing: error))")
            }
        }
    }

    @Test func `a certificate or key that cannot be used is an error that does not quote the password`() throws {
        let identity = try Identity()
        defer { withExtendedLifetime(identity) {} }
        let server = try makeServer(trusting: identity.certificate)
        for certificate in [
            TLSOptions.ClientCertificate(certificate: "/nonexistent/cert.pem", key: identity.key),
            .init(certificate: identity.certificate, key: "/nonexistent/key.pem", password: Identity.password),
            .init(certificate: identity.certificate, key: identity.encryptedKey, password: "wrong-\(Identity.password)"),
            .init(certificate: identity.key, key: identity.certificate),
        ] {
            let error = connect(to: server, certificate).error as? TransportError
            #expect(error?.kind == "TransportError.secureConnectionFailed")
            #expect(error?.description.contains(Identity.password) == false)
            #expect(!"\(certificate) \(TLSOptions(clientCertificate: certificate))".contains(Identity.password))
        }
    }

    /// Accepts a handshake over TLS, sends a text and closes; without a handshake it sends back what it receives.
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
                    if found:
                        accept = base64.b64encode(hashlib.sha1(found[1] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
                        secure.sendall(b"HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
                            + b"Sec-WebSocket-Accept: " + accept + b"\\r\\n\\r\\n" + b"\\x81\\x05Hello\\x88\\x02\\x03\\xe8")
                        secure.recv(65536)
                    else:
                        secure.sendall(request)
                    secure.unwrap()
                except Exception: pass
                client.close()
            """)
    }

    @Test
    func `where verification is switched off, an unknown authority and another name are accepted, for sockets and WebSockets`() throws {
        let server = try SecureServer(script: Self.webSocketServer)
        // The certificate is for the address only.
        let endpoint = SocketEndpoint(host: "localhost", port: server.port, security: .tls(TLSOptions(verifiesServer: false)))
        let socket = try OpenSocket(endpoint)
        #expect(socket.connection.isSecure)
        socket.connection.send(Data("secret".utf8))
        #expect(socket.connection.text(count: 6) == "secret")
        socket.dispose()

        let request = HTTPRequest(.get, try "wss://localhost:\(server.port)/".url())
        let ended = WebSocketNode(tls: TLSOptions(verifiesServer: false)).messages(request).ended()
        #expect(ended.elements == [.text("Hello")])
        #expect(ended.error == nil)
    }

    @Test func `verification that is switched off for one connection is not for the next, of sockets or WebSockets`() throws {
        let server = try SecureServer(script: Self.webSocketServer)
        let request = HTTPRequest(.get, try "wss://127.0.0.1:\(server.port)/".url())
        #expect(WebSocketNode(tls: TLSOptions(verifiesServer: false)).messages(request).ended().elements == [.text("Hello")])
        let trusting = TLSOptions(certificateAuthorities: server.certificate.path)
        #expect(WebSocketNode(tls: trusting).messages(request).ended().elements == [.text("Hello")])
        #expect(WebSocketNode().messages(request).ended().error?.kind == "TransportError.secureConnectionFailed")
    }
}
