import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import SocketNodes

@Suite(
    "Certificates of sockets", .enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), .countsResources, .stopsServers,
    .blocksThread)
struct SocketCertificateTests {
    /// A server that tells this client the name in its certificate.
    private func makeServer(for client: ClientIdentity) throws -> SecureServer { try .saying("name()", with: client.demand) }

    private func connect(to server: SecureServer, _ certificate: TLSOptions.ClientCertificate?) -> Ended<Data> {
        let options = TLSOptions(certificateAuthorities: server.certificate.path, clientCertificate: certificate)
        return SocketNode().stream(SocketConnection.Endpoint(host: "127.0.0.1", port: server.port, security: .tls(options)))
            .flatMap(\.received).ended()
    }

    @Test func `A server that asks for the client's certificate gets it, also with an encrypted key`() throws {
        let identity = try ClientIdentity()
        defer { withExtendedLifetime(identity) {} }
        let server = try makeServer(for: identity)
        for certificate in [
            TLSOptions.ClientCertificate(certificate: identity.certificate.path, key: identity.key.path),
            .init(certificate: identity.certificate.path, key: identity.encryptedKey.path, password: ClientIdentity.password),
        ] {
            let ended = connect(to: server, certificate)
            #expect(ended.elements.reduce(Data(), +) == Data("test".utf8))
            #expect(ended.error == nil)
        }
    }

    @Test func `Without a certificate, or with one that the server does not know, no byte arrives, whenever the server says so`() throws {
        let (identity, other) = (try ClientIdentity(), try ClientIdentity())
        defer { withExtendedLifetime((identity, other)) {} }
        let server = try makeServer(for: identity)
        for certificate in [nil, TLSOptions.ClientCertificate(certificate: other.certificate.path, key: other.key.path)] {
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

    @Test func `A certificate or key that cannot be used is an error that does not quote the password`() throws {
        let identity = try ClientIdentity()
        defer { withExtendedLifetime(identity) {} }
        let server = try makeServer(for: identity)
        for certificate in [
            TLSOptions.ClientCertificate(certificate: "/nonexistent/cert.pem", key: identity.key.path),
            .init(certificate: identity.certificate.path, key: "/nonexistent/key.pem", password: ClientIdentity.password),
            .init(certificate: identity.certificate.path, key: identity.encryptedKey.path, password: "wrong-\(ClientIdentity.password)"),
            .init(certificate: identity.key.path, key: identity.certificate.path),
        ] {
            let error = connect(to: server, certificate).error as? TransportError
            #expect(error?.kind == "TransportError.secureConnectionFailed")
            #expect(error?.description.contains(ClientIdentity.password) == false)
            #expect(!"\(certificate) \(TLSOptions(clientCertificate: certificate))".contains(ClientIdentity.password))
        }
    }
}
