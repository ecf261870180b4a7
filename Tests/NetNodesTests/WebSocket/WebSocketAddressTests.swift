import Foundation
import StreamsTesting
import Testing

@testable import NetNodes
@testable import SocketNodes

@Suite("The address of a WebSocket", .countsResources, .blocksThread)
struct WebSocketAddressTests {
    /// The host that is connected to, and the one that is asked for.
    private func hosts(_ url: String) throws -> [String] {
        let handshake = try ClientHandshake(HTTPRequest(.get, try #require(URL(string: url))), subprotocols: [], redirects: 0)
        let lines = String(decoding: handshake.bytes, as: UTF8.self).components(separatedBy: "\r\n")
        return [handshake.endpoint(TLSOptions()).host] + lines.filter { $0.hasPrefix("Host: ") }.map { String($0.dropFirst(6)) }
    }

    @Test func `An address of version 6 has brackets in the request, and none where it is connected to`() throws {
        #expect(try hosts("http://[::1]:8080/x") == ["::1", "[::1]:8080"])
        #expect(try hosts("http://[2001:db8::7]/") == ["2001:db8::7", "[2001:db8::7]"])
        #expect(try hosts("http://127.0.0.1:8080/x") == ["127.0.0.1", "127.0.0.1:8080"])
    }

    @Test(arguments: ["http://bücher.example/", "http://BÜCHER.example/", "http://xn--bcher-kva.example/"])
    func `A name beyond ASCII is that of the DNS`(url: String) throws {
        #expect(try hosts(url) == ["xn--bcher-kva.example", "xn--bcher-kva.example"])
    }

    @Test func `An address without its user keeps its host, also in version 6`() throws {
        for url in ["http://[::1]:8080", "https://[2001:db8::7]", "http://127.0.0.1:8080", "http://xn--bcher-kva.example"] {
            let withUser = try #require(URL(string: url.replacing("//", with: "//me:pw@") + "/x"))
            #expect(withUser.withoutUser.absoluteString == url)
        }
    }

    @Test func `A name in percent encoding is decoded`() throws {
        #expect(try hosts("http://ex%61mple.com:8080/") == ["example.com", "example.com:8080"])
    }

    @Test func `A port that is that of the scheme is not asked for, as in libcurl`() throws {
        #expect(try hosts("http://example.com:80/") == ["example.com", "example.com"])
    }

    /// The errors of a request and of a WebSocket.
    private func errors(_ host: String) throws -> [TransportError?] {
        let webSocket = HTTPRequest(.get, try #require(URL(string: "ws://\(host)/")))
        let request = HTTPRequest(.get, try #require(URL(string: "http://\(host)/")))
        let errors = [Observable.just(request).send(on: CurlTransport()).ended().error, WebSocketNode().stream(webSocket).ended().error]
        return errors.map { $0 as? TransportError }
    }

    @Test(.enabled(if: SystemNetwork.hasRoute, "there is no network"))
    func `A name that is not found is the same error as that of a request, and names the host`() throws {
        for error in try errors("bücher.invalid") {
            guard case .cannotFindHost("xn--bcher-kva.invalid", _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(arguments: ["b%C3%BCcher.example", "a%2Fb", "a%00b", "%C3%BC%2Fb"])
    func `A name that cannot be is the same error as that of a request`(host: String) throws {
        #expect(try errors(host).map { $0?.kind } == ["TransportError.invalidURL", "TransportError.invalidURL"])
    }
}
