import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Redirects", .countsResources, .blocksThread)
struct RedirectTests {
    let transport = CurlTransport()

    /// Answers `/start` with a redirect and says for every other path what arrived there.
    private func server(_ status: Int, to location: @escaping @Sendable () -> String) throws -> ScriptedServer {
        try ScriptedServer.answering { connection, request in
            guard !request.line.contains("/start") else {
                connection.send("HTTP/1.1 \(status) X\r\nLocation: \(location())\r\nContent-Length: 3\r\n\r\nabc")
                return
            }
            let secret = request.headers["authorization"] ?? "none"
            let text = "\(request.line.split(separator: " ")[0]) \(request.body) \(secret)"
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        }
    }

    private func post(_ url: URL) -> HTTPRequest {
        HTTPRequest(.post, url, headers: ["Authorization": "Bearer SECRET"], body: .data(Data("body".utf8)))
    }

    @Test(arguments: [(301, "GET "), (302, "GET "), (303, "GET "), (307, "POST body"), (308, "POST body")])
    func `307 and 308 keep method and body, 301 to 303 turn a POST into a GET`(status: Int, expected: String) throws {
        let server = try server(status) { "/end" }
        let result = collect(post(server.url("/start")), on: transport)
        #expect(result.text == "\(expected) Bearer SECRET")
        #expect(result.head?.url.path == "/end")
        #expect(result.metrics?.redirects == 1)
    }

    @Test func `Authorization is not sent to another origin`() throws {
        let other = try server(307) { "/" }
        let target = other.url("/end").absoluteString
        let server = try server(307) { target }
        #expect(collect(post(server.url("/start")), on: transport).text == "POST body none")
    }

    @Test func `A loop is limited`() throws {
        let server = try server(302) { "/start" }
        let result = collect(HTTPRequest(.get, server.url("/start"), redirects: .follow(limit: 5)), on: transport)
        #expect(result.error == .tooManyRedirects(limit: 5, url: server.url("/start").absoluteString))
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/", "http://"])
    func `A redirect to a file or an invalid URL is rejected`(location: String) throws {
        let server = try server(302) { location }
        let result = collect(HTTPRequest(.get, server.url("/start")), on: transport)
        #expect(result.error == .invalidRedirect(location: location, url: server.url("/start").absoluteString))
    }

    @Test(
        arguments: [
            (":foo", "/a/b/:foo"), ("..", "/a/"), ("../x", "/a/x"), ("x/.", "/a/b/x/"), ("?y", "/a/b/start?y"),
            ("/a b?c d", "/a%20b?c%20d"),
            ("/caf%C3%A9?[x]=%20", "/caf%C3%A9?%5Bx%5D=%20"), ("/café", "/caf%C3%A9"), ("/100%", "/100%25"), ("/%zz", "/%25zz"),
            ("http:/HOST/x", "/x"), ("http:///HOST/x", "/x"), ("///HOST/x", "/x"), ("//HOST/x?a'b", "/x?a'b"), ("/\\h/x", "/%5Ch/x"),
        ])
    func `A location leads where curl goes, with its escapes as they are`(location: String, target: String) throws {
        let port = Lock<UInt16>(0)
        let server = try ScriptedServer.answering { connection, request in
            let target = String(request.line.split(separator: " ")[1])
            let place = location.replacing("HOST", with: "127.0.0.1:\(port.withLock { $0 })")
            let isFirst = target == "/a/b/start?q=1"
            let head = "HTTP/1.1 \(isFirst ? 302 : 200) X\r\nLocation: \(place)\r\nContent-Length: \(target.utf8.count)"
            connection.send("\(head)\r\n\r\n\(target)")
        }
        port.withLock { $0 = server.port }
        let result = collect(HTTPRequest(.get, server.url("/a/b/start?q=1")), on: transport)
        #expect(result.text == target)
        #expect(result.head?.url.absoluteString == server.url().absoluteString.dropLast() + target)
    }

    @Test func `Bytes of a location that are not UTF-8 are escaped one by one`() throws {
        let server = try ScriptedServer.answering { connection, request in
            guard request.line.contains("/start") else {
                return connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(request.line.utf8.count)\r\n\r\n\(request.line)")
            }
            connection.send(Array("HTTP/1.1 302 X\r\nContent-Length: 0\r\nLocation: /caf".utf8) + [0xE9] + Array("\r\n\r\n".utf8))
        }
        #expect(collect(HTTPRequest(.get, server.url("/start")), on: transport).text == "GET /caf%E9 HTTP/1.1")
    }

    @Test(arguments: ["", "  ", "\t"]) func `Without a location there is nothing to follow`(location: String) throws {
        let server = try server(302) { location }
        let result = collect(HTTPRequest(.get, server.url("/start")), on: transport)
        #expect(result.head?.status == 302)
        #expect(result.text == "abc")
    }

    @Test(arguments: ["/end", "http://127.0.0.1:PORT/end", "//127.0.0.1:PORT/end", "http://other:pw@127.0.0.1:PORT/end"])
    func `A redirect to the same origin keeps the user and the password of the URL, unless it has its own`(location: String) throws {
        let port = Lock<UInt16>(0)
        let server = try server(302) { location.replacing("PORT", with: "\(port.withLock { $0 })") }
        port.withLock { $0 = server.port }
        let url = try "http://me:p%23[w@127.0.0.1:\(server.port)/start".url()
        let credentials = location.contains("other") ? "other:pw" : "me:p#[w"
        let result = collect(HTTPRequest(.get, url), on: transport)
        #expect(result.text == "GET  Basic \(Data(credentials.utf8).base64EncodedString())")
    }

    @Test func `A redirect that is not followed is delivered`() throws {
        let server = try server(302) { "/end" }
        let result = collect(HTTPRequest(.get, server.url("/start"), redirects: .deliver), on: transport)
        #expect(result.head?.status == 302)
        #expect(result.text == "abc")
    }
}
