import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import SocketNodes

@Suite(
    "Secure sockets", .enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), .countsResources, .stopsServers,
    .blocksThread)
struct SocketSecurityTests {
    /// Says `INFO` as plain text if `isPlainFirst`, then speaks TLS, sends back what it receives, and ends with a close notification.
    private static func echo(isPlainFirst: Bool) -> (_ directory: String) -> String {
        { directory in
            SecureServer.serving(
                directory,
                """
                def serve(client):
                    try:
                        if \(isPlainFirst ? "True" : "False"):
                            client.sendall(b"INFO\\n")
                            assert client.recv(6, socket.MSG_WAITALL) == b"READY\\n"
                        secure = context.wrap_socket(client, server_side=True)
                        while True:
                            data = secure.recv(65536)
                            if not data: break
                            secure.sendall(data)
                            if data.endswith(b"QUIT"):
                                secure.unwrap()
                                break
                    except Exception: pass
                    client.close()
                """)
        }
    }

    @Test func `Bytes are encrypted from the start, and the certificate is verified`() throws {
        let server = try SecureServer(script: Self.echo(isPlainFirst: false))
        let options = TLSOptions(certificateAuthorities: server.certificate.path)
        let socket = try OpenSocket(SocketConnection.Endpoint(host: "127.0.0.1", port: server.port, security: .tls(options)))
        #expect(socket.connection.isSecure)
        let large = String(repeating: "0123456789abcdef", count: 60_000)
        socket.connection.send(Data(large.utf8))
        #expect(socket.connection.text(count: large.count) == large)
        socket.connection.send(Data("QUIT".utf8))
        #expect(socket.connection.received.ended().elements.reduce(Data(), +) == Data("QUIT".utf8))
        try socket.ending()

        let unknown = SocketNode().stream(SocketConnection.Endpoint(host: "127.0.0.1", port: server.port, security: .tls())).ended().error
        #expect(unknown?.kind == "TransportError.secureConnectionFailed")
    }

    @Test func `A plain connection continues with TLS after an upgrade`() throws {
        let server = try SecureServer(script: Self.echo(isPlainFirst: true))
        let socket = try OpenSocket(SocketConnection.Endpoint(host: "127.0.0.1", port: server.port))
        #expect(socket.connection.text(count: 5) == "INFO\n")
        // Sent in this order: the first as plain text, the last encrypted.
        socket.connection.send(Data("READY\n".utf8))
        let upgrading = socket.connection.upgradeToTLS(TLSOptions(certificateAuthorities: server.certificate.path))
        let upgraded = Slot<Bool>()
        let subscription = upgrading.subscribe(onCompleted: { upgraded.fill(true) }, onError: { _ in upgraded.fill(false) })
        socket.connection.send(Data("secret".utf8))
        #expect(upgraded.wait() == true)
        #expect(socket.connection.isSecure)
        #expect(socket.connection.text(count: 6) == "secret")
        #expect(socket.connection.upgradeToTLS().asObservable().ended().error is TransportError)
        socket.connection.send(Data("QUIT".utf8))
        #expect(socket.connection.received.ended().error == nil)
        try socket.ending()
        subscription.dispose()
    }

    @Test func `Bytes that arrived before TLS and were not read fail the upgrade: they are not the server's for sure`() throws {
        let server = try SecureServer(script: Self.echo(isPlainFirst: true))
        let (engine, opened, hasArrived) = (CurlSocketEngine.shared, Slot<SocketConnection>(), Slot<Bool>())
        let link = SocketLink(
            SocketConnection.Endpoint(host: "127.0.0.1", port: server.port), overflow: .unbounded, timeouts: SocketConnection.Timeouts(),
            scheduler: ConcurrentDispatchQueueScheduler(qos: .userInitiated), engine: engine
        ) { event in
            if case .next(let connection) = event { opened.fill(connection) }
        }
        engine.start(link)
        let connection = try #require(opened.wait())
        // As if the thread had been busy while the connection was established.
        engine.post(
            EngineMessage {
                while link.early == nil, let channel = link.channel { link.early = engine.input(of: channel, link) }
                hasArrived.fill(true)
            })
        #expect(hasArrived.wait() == true)
        connection.send(Data("READY\n".utf8))
        let options = TLSOptions(certificateAuthorities: server.certificate.path)
        let error = connection.upgradeToTLS(options).asObservable().ended().error as? TransportError
        #expect(error?.kind == "TransportError.secureConnectionFailed")
    }

    @Test func `An upgrade to a server that is not trusted fails the connection`() throws {
        let server = try SecureServer(script: Self.echo(isPlainFirst: true))
        let socket = try OpenSocket(SocketConnection.Endpoint(host: "127.0.0.1", port: server.port))
        #expect(socket.connection.text(count: 5) == "INFO\n")
        socket.connection.send(Data("READY\n".utf8))
        let error = socket.connection.upgradeToTLS().asObservable().ended().error as? TransportError
        #expect(error?.kind == "TransportError.secureConnectionFailed")
        #expect(error?.description.contains("tls://127.0.0.1:\(server.port)") == true)
        #expect(throws: TransportError.self) { try socket.ending() }
    }

    @Test func `The name in the certificate can be another than the host`() throws {
        let server = try SecureServer(script: Self.echo(isPlainFirst: false))
        let options = TLSOptions(certificateAuthorities: server.certificate.path, serverName: "127.0.0.1")
        let socket = try OpenSocket(SocketConnection.Endpoint(host: "localhost", port: server.port, security: .tls(options)))
        socket.connection.send(Data("QUIT".utf8))
        #expect(socket.connection.text(count: 4) == "QUIT")
        socket.dispose()
    }

    @Test func `Where verification is switched off, an unknown authority and another name are accepted`() throws {
        let server = try SecureServer(script: Self.echo(isPlainFirst: false))
        // The certificate is for the address only.
        let endpoint = SocketConnection.Endpoint(host: "localhost", port: server.port, security: .tls(TLSOptions(verifiesServer: false)))
        let socket = try OpenSocket(endpoint)
        #expect(socket.connection.isSecure)
        socket.connection.send(Data("secret".utf8))
        #expect(socket.connection.text(count: 6) == "secret")
        socket.dispose()
    }
}
