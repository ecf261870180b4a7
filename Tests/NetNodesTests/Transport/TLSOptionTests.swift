import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// Against a TLS server that we did not write. Runs where `openssl` and `python3` are installed.
@Suite(
    "TLS options of a transport", .enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), .countsResources, .stopsServers,
    .blocksThread)
struct TLSOptionTests {
    private func collected(_ server: SecureServer, _ options: TLSOptions) throws -> Collected {
        var configuration = CurlTransport.Configuration()
        configuration.tls = options
        return collect(HTTPRequest(.get, try "https://127.0.0.1:\(server.port)/cert.pem".url()), on: CurlTransport(configuration))
    }

    private func refusal(_ server: SecureServer, _ options: TLSOptions) throws -> String? {
        guard case .secureConnectionFailed(_, let reason) = try collected(server, options).error else { return nil }
        return reason
    }

    @Test func `Authorities are trusted from memory`() throws {
        let (server, other) = (try SecureServer(), try SecureServer())
        for (one, isTrusted) in [(server, true), (other, false)] {
            let authorities = TLSOptions.PEM.data(try Data(contentsOf: one.certificate))
            let result = try collected(server, TLSOptions(certificateAuthorities: authorities))
            #expect((result.error == nil) == isTrusted)
            #expect((result.error?.kind == "TransportError.secureConnectionFailed") != isTrusted)
        }
        let nothing = try collected(server, TLSOptions(certificateAuthorities: .data(Data("nothing".utf8)))).error
        #expect(nothing == .unreadableAuthorities(path: "7 bytes", reason: "it holds no certificate"))
    }

    @Test func `A client's certificate and key come from memory, the key encrypted, or both in one`() throws {
        let identity = try ClientIdentity()
        let (certificate, key, encrypted) = (identity.certificate, identity.key, identity.encryptedKey)
        let answer = #"b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + name()"#
        let server = try SecureServer.saying(answer, with: identity.demand, readsRequest: true)
        let inMemory = TLSOptions.PEM.data(try Data(contentsOf: certificate))
        let clients: [TLSOptions.ClientCertificate] = [
            .init(certificate: inMemory, key: .data(try Data(contentsOf: key))),
            .init(certificate: inMemory, key: .data(try Data(contentsOf: encrypted)), password: ClientIdentity.password),
            .init(certificate: .file(certificate.path), key: .file(encrypted.path), password: ClientIdentity.password),
            .init(certificate: .data(try Data(contentsOf: certificate) + Data(contentsOf: key))),
        ]
        let authorities = TLSOptions.PEM.file(server.certificate.path)
        for client in clients {
            #expect(try collected(server, TLSOptions(certificateAuthorities: authorities, clientCertificate: client)).text == "test")
            #expect(!"\(client) \(TLSOptions(clientCertificate: client))".contains(ClientIdentity.password))
        }
        let wrong = TLSOptions.ClientCertificate(certificate: inMemory, key: .data(try Data(contentsOf: encrypted)), password: "other")
        #expect(try refusal(server, TLSOptions(certificateAuthorities: authorities, clientCertificate: wrong)) != nil)
    }

    @Test func `An older version of TLS than the lowest is refused`() throws {
        let answer = #"b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok""#
        let server = try SecureServer.saying(
            answer, with: "context.maximum_version = ssl.TLSVersion.TLSv1_2", readsRequest: true)
        let authorities = TLSOptions.PEM.file(server.certificate.path)
        #expect(try collected(server, TLSOptions(certificateAuthorities: authorities, minimumVersion: .tls12)).text == "ok")
        #expect(try refusal(server, TLSOptions(certificateAuthorities: authorities, minimumVersion: .tls13)) != nil)
    }

    /// The digest as `openssl` prints it.
    private func pin(of certificate: URL) throws -> String {
        let command = """
            openssl x509 -in \(certificate.path) -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
            """
        return try ForeignProgram("/bin/sh", ["-c", command]).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `A server with another key than those that are pinned is refused, verified or not`() throws {
        let (server, other) = (try SecureServer(), try SecureServer())
        let (right, wrong) = (try pin(of: server.certificate), try pin(of: other.certificate))
        let authorities = TLSOptions.PEM.file(server.certificate.path)
        #expect(
            try collected(server, TLSOptions(certificateAuthorities: authorities, pinnedPublicKeys: [wrong, right])).error == nil)
        #expect(try refusal(server, TLSOptions(certificateAuthorities: authorities, pinnedPublicKeys: [wrong])) != nil)
        #expect(try refusal(server, TLSOptions(verifiesServer: false, pinnedPublicKeys: [wrong])) != nil)
        let reason = try refusal(server, TLSOptions(certificateAuthorities: authorities, pinnedPublicKeys: ["\(right);x"]))
        #expect(reason == "a pinned public key is not the SHA-256 digest of one in base64")
    }
}
