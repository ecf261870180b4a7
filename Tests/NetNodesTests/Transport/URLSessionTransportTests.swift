import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

#if os(Linux)
    import NetNodesURLSession
#endif

/// On Linux a smoke test: `CurlTransport` is the transport there.
@Suite("URLSessionTransport", .countsResources, .blocksThread)
struct URLSessionTransportTests {
    let transport = URLSessionTransport()

    @Test func `A response has its body`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\n\r\nhello")
        let result = collect(HTTPRequest(.get, server.url()), on: transport)
        #expect(result.error == nil)
        #expect(result.text == "hello")
        #expect(result.head?.headers["x-a"] == "1")
    }

    @Test func `A password challenge is delivered as a response`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nno")
        let result = collect(HTTPRequest(.get, server.url()), on: transport)
        #expect(result.error == nil)
        #expect(result.head?.status == 401)
    }

    @Test func `Cookies are neither stored nor sent`() throws {
        let server = try ScriptedServer.answering { connection, request in
            let text = request.headers["cookie"] ?? "none"
            connection.send("HTTP/1.1 200 OK\r\nSet-Cookie: id=anne; Path=/\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        }
        for _ in 0..<2 { #expect(collect(HTTPRequest(.get, server.url()), on: transport).text == "none") }
    }

    @Test func `A total timeout ends a request that is not answered`() throws {
        let server = try ScriptedServer { connection in _ = connection.waitForClose() }
        let limits = HTTPRequest.Timeouts(connect: nil, idle: nil, total: .milliseconds(300))
        let result = collect(HTTPRequest(.get, server.url(), timeouts: limits), on: transport)
        #expect(result.error == .timedOut(.total, after: .milliseconds(300), url: server.url().absoluteString))
    }

    @Test func `A refused connection is reported`() throws {
        let port = try ReservedPorts.next()
        let error = collect(HTTPRequest(.get, try "http://127.0.0.1:\(port)/".url()), on: transport).error
        #expect(error.map { TechnicalError($0) } == error.map { .cantConnectToHost($0.description) })
    }

    @Test func `A redirect keeps the body`() throws {
        let server = try ScriptedServer.answering { connection, request in
            guard !request.line.contains("/start") else {
                connection.send("HTTP/1.1 307 X\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n")
                return
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.utf8.count)\r\n\r\n\(request.body)")
        }
        let result = collect(HTTPRequest(.post, server.url("/start"), body: .data(Data("body".utf8))), on: transport)
        #expect(result.text == "body")
    }

    @Test func `A disposed transfer is cancelled at the server`() throws {
        let arrived = Slot<Bool>()
        let closed = Slot<Bool>()
        let server = try ScriptedServer { connection in
            arrived.fill(connection.readRequest() != nil)
            closed.fill(connection.waitForClose())
        }
        let subscription = transport.transfer(HTTPRequest(.get, server.url())).subscribe { _ in }
        #expect(arrived.wait() == true)
        subscription.dispose()
        #expect(closed.wait() == true)
    }
}
