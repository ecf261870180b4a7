import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// One request after another runs on the same handle of libcurl, which keeps what is set for requests of the same kind: nothing else may stay.
@Suite("Reused handles", .countsResources, .stopsServers, .blocksThread)
struct ReusedHandleTests {
    private let transport = CurlTransport()

    /// The server's view of these requests, sent one after another: over one handle, since each waits for the answer before.
    private func seen(_ requests: (URL) throws -> [HTTPRequest]) throws -> [LoopbackServer.Request] {
        let server = try running(.any("/:path") { _ in .text("ok") })
        for request in try requests(server.baseURL) {
            #expect(transport.response(to: request).ended().error == nil)
        }
        return server.recordedRequests
    }

    @Test func `A header field is sent with its own request only`() throws {
        let requests = try seen { base in
            let url = base.appending(path: "a")
            return [
                HTTPRequest(.get, url, headers: ["Authorization": "Bearer one", "User-Agent": "Mine", "Accept-Encoding": "br"]),
                HTTPRequest(.get, url, headers: ["Authorization": "Bearer two"]),
                HTTPRequest(.get, url),
            ]
        }
        #expect(requests.map { $0.headers["Authorization"] } == ["Bearer one", "Bearer two", nil])
        #expect(requests.map { $0.headers["User-Agent"] } == ["Mine", "NetNodes", "NetNodes"])
        #expect(requests.first?.headers["Accept-Encoding"] == "br")
        #expect(requests.last?.headers["Accept-Encoding"]?.contains("gzip") == true)
    }

    @Test func `A header field with an empty value is sent`() throws {
        let requests = try seen { base in
            [
                HTTPRequest(
                    .get, base.appending(path: "a"), headers: ["X-Empty": "", "X-Blank": " ", "X-Tab": "\t ", "Accept": "", "X-Set": "1"])
            ]
        }
        for name in ["X-Empty", "X-Blank", "X-Tab", "Accept"] { #expect(requests.first?.headers[name] == "", "\(name)") }
        #expect(requests.first?.headers["X-Set"] == "1")
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b"])
    func `A user agent with a line break is rejected, and nothing is sent`(agent: String) throws {
        let server = try ScriptedServer.answering("HTTP/1.1 204 X\r\n\r\n")
        var configuration = CurlTransport.Configuration()
        configuration.userAgent = agent
        let transport = CurlTransport(configuration)
        for body in [HTTPRequest.Body.none, .data(Data("x".utf8))] {
            let error = transport.response(to: HTTPRequest(.post, server.url(), body: body)).ended().error as? TransportError
            #expect(error == .invalidHeader(name: "User-Agent", reason: "the value contains a line break or a NUL"))
        }
        #expect(server.connectionCount == 0)
        let own = HTTPRequest(.get, server.url(), headers: ["User-Agent": "Mine"])
        #expect(transport.response(to: own).ended().error == nil)
    }

    @Test func `User and password of a URL are sent with its own request only`() throws {
        let requests = try seen { base in
            let plain = base.appending(path: "a")
            let withPassword = try #require(URL(string: plain.absoluteString.replacingOccurrences(of: "://", with: "://bob:secret@")))
            return [HTTPRequest(.get, withPassword), HTTPRequest(.get, plain)]
        }
        #expect(requests.map { $0.headers["Authorization"] } == ["Basic Ym9iOnNlY3JldA==", nil])
    }

    @Test func `Methods and bodies are not carried over`() throws {
        let requests = try seen { base in
            let url = base.appending(path: "a")
            return [
                HTTPRequest(.post, url, body: .data(Data("one".utf8))), HTTPRequest(.get, url),
                HTTPRequest(.head, url), HTTPRequest(.get, url),
                HTTPRequest(.delete, url), HTTPRequest(.get, url), HTTPRequest(.put, url), HTTPRequest(.get, url),
            ]
        }
        #expect(requests.map(\.method) == ["POST", "GET", "HEAD", "GET", "DELETE", "GET", "PUT", "GET"])
        #expect(requests.map { String(decoding: $0.body, as: UTF8.self) } == ["one", "", "", "", "", "", "", ""])
        #expect(requests.map { $0.headers["Content-Length"] } == ["3", nil, nil, nil, nil, nil, "0", nil])
        #expect(requests.allSatisfy { $0.headers["Expect"] == nil && $0.headers["Content-Type"] == nil })
    }

    @Test func `A request after a cancelled one is sent completely`() throws {
        let server = try ScriptedServer.answering { connection, request in
            if request.line.contains("/hang") { _ = connection.waitForClose() }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        for _ in 0..<20 {
            transport.response(to: HTTPRequest(.get, server.url("/hang"))).subscribe { _ in }.dispose()
            #expect(transport.response(to: HTTPRequest(.get, server.url("/"))).ended().elements.map(\.body) == [Data("ok".utf8)])
        }
    }
}
