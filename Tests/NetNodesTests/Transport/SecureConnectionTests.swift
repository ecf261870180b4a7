import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// Against a TLS server that we did not write. Runs where `openssl` and `python3` are installed.
@Suite("Secure connections", .enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), .countsResources)
struct SecureConnectionTests {
    @Test("a certificate that nobody vouches for is refused, one of a trusted authority is not")
    func verification() throws {
        let server = try SecureServer()
        defer { server.stop() }
        let request = HTTPRequest(.get, try "https://127.0.0.1:\(server.port)/cert.pem".url())
        let refused = try #require(collect(request, on: CurlTransport()).error)
        guard case .secureConnectionFailed = refused else {
            Issue.record("\(refused)")
            return
        }
        var configuration = CurlTransport.Configuration()
        configuration.certificateAuthorities = server.certificate.path
        let trusted = collect(request, on: CurlTransport(configuration))
        #expect(trusted.error == nil)
        #expect(trusted.text.hasPrefix("-----BEGIN CERTIFICATE-----"))
        #expect(trusted.metrics?.secureConnect != nil)
    }

    @Test("the metrics tell when the certificate expires, also on a connection that stood already")
    func expiry() throws {
        let server = try SecureServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.certificateAuthorities = server.certificate.path
        let transport = CurlTransport(configuration)
        let request = HTTPRequest(.get, try "https://127.0.0.1:\(server.port)/cert.pem".url())
        for _ in 0..<2 {
            let expiry = try #require(collect(request, on: transport).metrics?.certificateExpiry)
            #expect(abs(expiry.timeIntervalSinceNow - 2 * 24 * 60 * 60) < 600)
        }
        let plain = try ScriptedServer.answering("HTTP/1.1 204 X\r\n\r\n")
        #expect(collect(HTTPRequest(.get, plain.url()), on: transport).metrics?.certificateExpiry == nil)
    }

    @Test("a certificate for another name is refused")
    func otherName() throws {
        let server = try SecureServer()
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.certificateAuthorities = server.certificate.path
        let request = HTTPRequest(.get, try "https://localhost:\(server.port)/".url())
        let error = try #require(collect(request, on: CurlTransport(configuration)).error)
        guard case .secureConnectionFailed = error else {
            Issue.record("\(error)")
            return
        }
    }
}
