import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// Against a TLS server that we did not write. Runs where `openssl` and `python3` are installed.
@Suite(
    "Secure connections", .enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), .countsResources, .stopsServers,
    .blocksThread)
struct SecureConnectionTests {
    @Test func `A certificate of an unknown authority is rejected, one of a trusted authority is not`() throws {
        let server = try SecureServer()
        let request = try request(server)
        #expect(collect(request, on: CurlTransport()).error?.kind == "TransportError.secureConnectionFailed")
        let trusted = collect(request, on: CurlTransport(trusting: server.certificate.path))
        #expect(trusted.error == nil)
        #expect(trusted.text.hasPrefix("-----BEGIN CERTIFICATE-----"))
        #expect(trusted.metrics?.secureConnect != nil)
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func `A server that requires a certificate of the client ends the request as a failure of TLS`(version: String) throws {
        let server = try SecureServer { directory in
            SecureServer.serving(
                directory,
                """
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations("\(directory)/cert.pem")
                context.maximum_version = ssl.TLSVersion.\(version)
                def serve(client):
                    secure = context.wrap_socket(client, server_side=True, do_handshake_on_connect=False)
                    try: secure.do_handshake()
                    except ssl.SSLError: pass
                    # A reset would overtake what the server says.
                    client = socket.socket(fileno=secure.detach())
                    while client.recv(65536): pass
                """)
        }
        let error = try #require(collect(try request(server), on: CurlTransport(trusting: server.certificate.path)).error)
        #expect(error.kind == "TransportError.secureConnectionFailed")
        #expect(!RetryPolicy.isTransient(error))
    }

    @Test func `The metrics contain the expiry of the certificate, also on a reused connection`() throws {
        let server = try SecureServer()
        let transport = CurlTransport(trusting: server.certificate.path)
        let request = try request(server)
        for _ in 0..<2 {
            let expiry = try #require(collect(request, on: transport).metrics?.certificateExpiry)
            #expect(abs(expiry.timeIntervalSinceNow - 2 * 24 * 60 * 60) < 600)
        }
        let plain = try ScriptedServer.answering("HTTP/1.1 204 X\r\n\r\n")
        #expect(collect(HTTPRequest(.get, plain.url()), on: transport).metrics?.certificateExpiry == nil)
    }

    @Test(
        arguments: [
            ("Nov 24 02:09:14 2026 GMT", 1_795_486_154), (" Jan  1 00:00:00 1970 GMT", 0), ("2026-11-24 02:09:14 UTC", 1_795_486_154),
            ("Foo 24 02:09:14 2026 GMT", nil), ("", nil), ("Nov 24", nil), ("Nov 24 02:09 2026 GMT", nil), ("-2147483648-1-1 1:1:1 X", nil),
        ] as [(String, Double?)])
    func `The date of a certificate is read as OpenSSL and GnuTLS write it`(text: String, expected: Double?) {
        #expect(certificateDate(text)?.timeIntervalSince1970 == expected)
    }

    @Test func `A certificate for another name is rejected`() throws {
        let server = try SecureServer()
        let request = HTTPRequest(.get, try "https://localhost:\(server.port)/".url())
        let error = collect(request, on: CurlTransport(trusting: server.certificate.path)).error
        #expect(error?.kind == "TransportError.secureConnectionFailed")
    }

    @Test func `The error quotes the name in such a certificate without its control characters`() throws {
        let directory = TemporaryDirectory()
        let (certificate, key) = ("\(directory.url.path)/other.pem", "\(directory.url.path)/other-key.pem")
        try SecureServer.run(
            "/usr/bin/env openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
                + "-subj /CN=evil\u{1B}]0;owned\u{7} -keyout \(key) -out \(certificate)")
        let server = try SecureServer { directory in
            SecureServer.serving(
                directory,
                """
                context.load_cert_chain("\(certificate)", "\(key)")
                def serve(client):
                    try: context.wrap_socket(client, server_side=True)
                    except ssl.SSLError: pass
                """)
        }
        let error = try #require(collect(try request(server), on: CurlTransport(trusting: certificate)).error)
        #expect(error.kind == "TransportError.secureConnectionFailed")
        #expect(error.localizedDescription.contains("evil\\u{1B}]0;owned"), "\(error)")
        #expect(!error.localizedDescription.unicodeScalars.contains { $0.value < 0x20 })
    }

    private func request(_ server: SecureServer) throws -> HTTPRequest {
        HTTPRequest(.get, try "https://127.0.0.1:\(server.port)/cert.pem".url())
    }

    @Test func `The authorities are read once, and not for each connection`() throws {
        let server = try SecureServer()
        let directory = TemporaryDirectory()
        let bundle = try directory.file("bundle.pem", Data(contentsOf: server.certificate))
        let transport = CurlTransport(trusting: bundle.path)
        for _ in 0..<3 {
            let result = collect(try request(server), on: transport)
            #expect(result.error == nil)
            #expect(result.metrics?.reusedConnection == false)
            try Data("nothing of use".utf8).write(to: bundle)
        }
    }

    @Test(arguments: ["/nowhere/at/all", "/tmp", "garbage"])
    func `Authorities that cannot be read are an error that names the file, for https only`(path: String) throws {
        let directory = TemporaryDirectory()
        let garbage = try directory.file("garbage.pem", Data("-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n".utf8))
        let path = path == "garbage" ? garbage.path : path
        let server = try SecureServer()
        let transport = CurlTransport(trusting: path)
        guard case .unreadableAuthorities(path, _) = collect(try request(server), on: transport).error else {
            Issue.record("\(path) is taken for a bundle")
            return
        }
        let plain = try ScriptedServer.answering("HTTP/1.1 204 X\r\n\r\n")
        #expect(collect(HTTPRequest(.get, plain.url()), on: transport).error == nil)
    }

    @Test(.startsChild) func `Only the file specified by the environment is trusted`() async {
        await #expect(processExitsWith: .success) {
            let server = try SecureServer()
            defer { server.stop() }
            let request = HTTPRequest(.get, try "https://127.0.0.1:\(server.port)/cert.pem".url())
            func error(_ file: String, _ bundle: String) -> TransportError? {
                setenv("SSL_CERT_FILE", file, 1)
                setenv("CURL_CA_BUNDLE", bundle, 1)
                return collect(request, on: CurlTransport()).error
            }
            #expect(error(server.certificate.path, "/nowhere") == nil)
            #expect(error("", server.certificate.path) == nil)
            #expect(
                error("/nowhere", server.certificate.path) == .unreadableAuthorities(path: "/nowhere", reason: "No such file or directory"))
            #expect(error("", "")?.kind == "TransportError.secureConnectionFailed")
        }
    }
}
