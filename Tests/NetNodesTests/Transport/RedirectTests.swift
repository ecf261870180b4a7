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

    @Test func `authorization is not sent to another origin`() throws {
        let other = try server(307) { "/" }
        let target = other.url("/end").absoluteString
        let server = try server(307) { target }
        #expect(collect(post(server.url("/start")), on: transport).text == "POST body none")
    }

    @Test func `a loop is limited`() throws {
        let server = try server(302) { "/start" }
        let result = collect(HTTPRequest(.get, server.url("/start"), redirects: .follow(limit: 5)), on: transport)
        #expect(result.error == .tooManyRedirects(limit: 5, url: server.url("/start").absoluteString))
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/", "http://"])
    func `a redirect to a file or an invalid URL is rejected`(location: String) throws {
        let server = try server(302) { location }
        let result = collect(HTTPRequest(.get, server.url("/start")), on: transport)
        #expect(result.error == .invalidRedirect(location: location, url: server.url("/start").absoluteString))
    }

    @Test func `a redirect that is not followed is delivered`() throws {
        let server = try server(302) { "/end" }
        let result = collect(HTTPRequest(.get, server.url("/start"), redirects: .deliver), on: transport)
        #expect(result.head?.status == 302)
        #expect(result.text == "abc")
    }
}
