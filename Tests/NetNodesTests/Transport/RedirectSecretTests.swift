import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// Hostile redirects of a request with secrets, over real sockets.
@Suite("Redirects and secrets", .countsResources, .stopsServers, .blocksThread)
struct RedirectSecretTests {
    private let chain = URLChain(transport: CurlTransport()).timeout(.seconds(300))

    @Test(
        arguments: [
            "http://127.0.0.1:A\\@127.0.0.1:B/", "http://127.0.0.1:A#@127.0.0.1:B/", "http://127.0.0.1:A?@127.0.0.1:B/",
            "http://127.0.0.1:A@127.0.0.1:B/", "http://127.0.0.1:A%40127.0.0.1:B/", "http://127.0.0.1:A%2F@127.0.0.1:B/",
            "http://127.0.0.1:A\t@127.0.0.1:B/", "http://127.0.0.1:A @127.0.0.1:B/", "//127.0.0.1:B/", "\\\\127.0.0.1:B/",
            "/\\127.0.0.1:B/",
            "http:\\\\127.0.0.1:B/", "http:/127.0.0.1:B/", "http:127.0.0.1:B/", "http:///127.0.0.1:B/", "http://127.0.0.1.:B/",
            "http://localhost:B/", "http://0x7f.1:B/", "http://2130706433:B/", "http://127.1:B", "http://[::ffff:127.0.0.1]:B/",
            "http://bob:x@127.0.0.1:B/", "HTTP://127.0.0.1:B", "http://127.0.0.1:0B/", "http://127.0.0.1:B;@127.0.0.1:A/", "@127.0.0.1:B/",
            ":B/", "http://127.0.0.1:A:B/", "http://\u{FF11}27.0.0.1:B/",
        ])
    func `However a location is written, no secret comes to another origin`(location: String) throws {
        let other = try running(.any("/*") { _ in .text("other") }, .any("/") { _ in .text("other") })
        let target = Lock("")
        let server = try running(
            .any("/start") { _ in LoopbackServer.Response.empty(302).header("Location", target.withLock { $0 }) },
            .any("/*") { _ in .text("same") })
        let ports = location.replacing("A", with: "\(server.port)").replacing("B", with: "\(other.port)")
        target.withLock { $0 = ports }
        let secrets: HTTPHeaders = [
            "X-Session-Id": "SECRET", "Cookie": "SECRET", "Referer": "http://h/?token=SECRET", "Accept-Language": "eo",
        ]
        let basic = Data("eve:SECRET".utf8).base64EncodedString()
        let ended = chain.headers(secrets).route(.get, "http://eve:SECRET@127.0.0.1:\(server.port)/start").void.stream().ended()
        #expect(ended.error.map { !"\($0)\($0.localizedDescription)".contains("SECRET") } ?? true)
        for request in other.recordedRequests {
            let seen = "\(request.headers) \(request.target)"
            #expect(!seen.contains("SECRET") && !seen.contains(basic), "\(seen)")
        }
        #expect(server.recordedRequests.first?.headers["X-Session-Id"] == "SECRET")
    }

    @Test func `Headers dropped for another origin are not restored by a redirect to the first`() throws {
        let back = Lock("")
        let other = try running(.any("/there") { _ in .redirect(to: back.withLock { $0 }, status: 307) })
        let there = "\(other.baseURL)/there"
        let server = try running(.any("/start") { _ in .redirect(to: there, status: 307) }, .any("/end") { _ in .text("end") })
        back.withLock { $0 = "\(server.baseURL)/end" }
        let headers: HTTPHeaders = ["Authorization": "SECRET", "X-Jwt": "SECRET", "Accept-Language": "eo"]
        #expect(chain.headers(headers).route(.get, "\(server.baseURL)/start").void.stream().ended().error == nil)
        #expect(other.counts.requests == 1)
        let end = try #require(server.recordedRequests.last)
        #expect(end.path == "/end" && end.headers["Accept-Language"] == "eo")
        #expect(!"\(end.headers)".contains("SECRET"))
    }

    @Test(arguments: [UInt8](0...255))
    func `A header value with any byte is received unchanged or rejected, and never as another header`(byte: UInt8) throws {
        let server = try ScriptedServer.answering { connection, request in
            let names = request.headers.keys.sorted().joined(separator: ",")
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(names.utf8.count)\r\n\r\n\(names)")
        }
        let value = "a" + String(UnicodeScalar(byte)) + "X-Evil: b"
        let result = collect(HTTPRequest(.get, server.url("/"), headers: ["X-Probe": value]), on: CurlTransport())
        if [0, 0x0A, 0x0D].contains(byte) {
            #expect(result.error == .invalidHeader(name: "X-Probe", reason: "the value contains a line break or a NUL"))
            #expect(server.connectionCount == 0)
        } else {
            #expect(result.text.contains("x-probe") && !result.text.contains("x-evil"), "\(byte)")
        }
    }
}
