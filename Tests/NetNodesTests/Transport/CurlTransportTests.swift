import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

@Suite("CurlTransport", .countsResources, .blocksThread)
struct CurlTransportTests {
    let transport = CurlTransport()

    @Test func `A response is emitted as sent, head, chunks, end`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\nx-a: 2\r\n\r\nhello")
        let result = collect(HTTPRequest(.get, server.url()), on: transport)
        #expect(result.error == nil)
        #expect(result.text == "hello")
        #expect(result.head?.status == 200)
        #expect(result.head?.headers.values("X-A") == ["1", "2"])
        #expect(result.events.first == .sent)
        #expect(result.metrics?.protocolName == "HTTP/1.1")
        #expect(result.metrics?.remoteAddress == "127.0.0.1")
    }

    @Test func `Sequential requests use one connection`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        for _ in 0..<50 { #expect(collect(HTTPRequest(.get, server.url()), on: transport).text == "ok") }
        #expect(server.connectionCount == 1)
        #expect(collect(HTTPRequest(.get, server.url()), on: transport).metrics?.reusedConnection == true)
    }

    @Test func `A refused connection is reported immediately`() throws {
        let port = try ReservedPorts.next()
        let result = collect(HTTPRequest(.get, try #require(URL(string: "http://127.0.0.1:\(port)/a?key=secret"))), on: transport)
        #expect(result.error == .cannotConnect(url: "http://127.0.0.1:\(port)/a?key=***", reason: "Connection refused"))
    }

    @Test func `A disposed transfer is cancelled at the server`() throws {
        let arrived = Slot<Bool>()
        let closed = Slot<Bool>()
        let server = try ScriptedServer { connection in
            arrived.fill(connection.readRequest() != nil)
            closed.fill(connection.waitForClose())
        }
        let request = HTTPRequest(.get, server.url(), timeouts: .init(connect: nil, idle: nil))
        let subscription = transport.transfer(request).subscribe { _ in }
        #expect(arrived.wait() == true)
        subscription.dispose()
        #expect(closed.wait() == true)
    }

    @Test func `A total timeout of 300 ms ends the request after 300 ms, not before`() throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            _ = connection.waitForClose()
        }
        let limits = HTTPRequest.Timeouts(connect: nil, idle: nil, total: .milliseconds(300))
        let start = ContinuousClock.now
        let result = collect(HTTPRequest(.get, server.url(), timeouts: limits), on: transport)
        #expect(ContinuousClock.now - start >= .milliseconds(299))
        #expect(result.error == .timedOut(.total, after: .milliseconds(300), url: redacted(server.url())))
    }

    @Test
    func `A stream retains its transport, and a deallocated transport closes its connections when the last transfer has terminated`() throws
    {
        let closed = Slot<Bool>()
        let server = try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            closed.fill(connection.waitForClose())
        }
        let responses = CurlTransport().response(to: HTTPRequest(.get, server.url()))
        #expect(responses.ended().elements.first?.body == Data("ok".utf8))
        #expect(closed.wait(0.05) == nil)
        _ = consume responses
        #expect(closed.wait() == true)
    }
}
