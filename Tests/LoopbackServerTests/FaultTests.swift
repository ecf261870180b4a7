import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Faults on the wire", .countsResources, .stopsServers, .blocksThread)
struct FaultTests {
    private let body = "0123456789"

    @Test func `delay waits before the first byte`() throws {
        let start = ContinuousClock.now
        let client = try asking(.delay(.milliseconds(150)))
        #expect(try client.reply().text == body)
        #expect(ContinuousClock.now - start >= .milliseconds(149))
    }

    @Test func `throttle sends the body in parts`() throws {
        let start = ContinuousClock.now
        let client = try asking(.throttle(bytes: 3, every: .milliseconds(30)))
        #expect(try client.head()["Content-Length"] == "10")
        #expect(try client.bytes(10) == Data(body.utf8))
        #expect(ContinuousClock.now - start > .milliseconds(80))
    }

    @Test func `throttle with chunks sends one chunk per part`() throws {
        let client = try connected(to: .get("/") { [body] _ in .text(body).chunked().with(.throttle(bytes: 4, every: .milliseconds(1))) })
        try client.request("/")
        _ = try client.head()
        let chunks = try (0..<4).map { _ in try client.chunk().count }
        #expect(chunks == [4, 4, 2, 0])
    }

    @Test func `truncate ends the body early`() throws {
        let client = try asking(.truncate(after: 4))
        #expect(try client.head()["Content-Length"] == "10")
        #expect(try client.rest() == Data("0123".utf8))
    }

    @Test func `truncate of chunks leaves the last chunk out`() throws {
        let client = try connected(to: .get("/") { [body] _ in .text(body).chunked().with(.truncate(after: 100)) })
        try client.request("/")
        _ = try client.head()
        #expect(try client.rest() == Data("a\r\n0123456789\r\n".utf8))
    }

    @Test func `close before the head sends no byte`() throws {
        #expect(try asking(.closeWithoutBytes).rest().isEmpty)
    }

    @Test func `close after the head sends no body`() throws {
        let client = try asking(.close(at: .afterHead))
        _ = try client.head()
        #expect(try client.rest().isEmpty)
    }

    @Test func `close after the body sends everything without announcing the close`() throws {
        let client = try asking(.close(at: .afterBody))
        let reply = try client.reply()
        #expect(reply.text == body)
        #expect(reply["Connection"] == nil)
        #expect(try client.rest().isEmpty)
    }

    @Test func `reset before the head is a reset`() throws {
        let client = try asking(.reset(at: .beforeHead))
        #expect(throws: WireClient.Failure.reset) { try client.rest() }
    }

    @Test func `reset in the body comes after the bytes before it`() throws {
        let client = try asking(.reset(at: .inBody(after: 4)))
        _ = try client.head()
        #expect(try client.bytes(4) == Data("0123".utf8))
        #expect(throws: WireClient.Failure.reset) { try client.rest() }
    }

    @Test(arguments: [LoopbackServer.FaultMoment.beforeHead, .afterHead, .inBody(after: 4), .afterBody])
    func `hang leaves the connection open until the client goes`(at moment: LoopbackServer.FaultMoment) throws {
        let server = try running(.get("/") { [body] _ in .text(body).with(.hang(at: moment)) })
        let closed = server.closing()
        let client = try WireClient(port: server.port)
        try client.request("/")
        switch moment {
        case .beforeHead: client.endWriting()
        case .afterHead: _ = try client.head()
        case .inBody(let count):
            _ = try client.head()
            #expect(try client.bytes(count).count == count)
        case .afterBody: #expect(try client.reply().text == body)
        }
        client.close()
        #expect(closed.wait()?.reason == .client)
        #expect(closed.wait()?.interrupted?.path == "/")
    }

    @Test func `contentLength announces another length and closes`() throws {
        let client = try asking(.contentLength(100))
        #expect(try client.head()["Content-Length"] == "100")
        #expect(try client.rest() == Data(body.utf8))
    }

    @Test func `noContentLength ends the body with the connection`() throws {
        let client = try asking(.noContentLength)
        let reply = try client.reply()
        #expect(reply["Content-Length"] == nil)
        #expect(reply["Transfer-Encoding"] == nil)
        #expect(reply.text == body)
    }

    @Test func `badChunkSize sends a malformed size`() throws {
        let client = try asking(.badChunkSize)
        #expect(try client.head()["Transfer-Encoding"] == "chunked")
        #expect(try client.line() == "not-a-size")
    }

    @Test func `garbageStatusLine sends a malformed status line`() throws {
        #expect(try asking(.garbageStatusLine).line() == "This is not HTTP at all")
    }

    @Test func `oversizedHeader adds a field of that size`() throws {
        #expect(try asking(.oversizedHeader(bytes: 300_000)).head()["X-Oversized"]?.count == 300_000)
    }

    @Test func `Faults compose: a delayed, throttled, truncated body after a large header`() throws {
        let route = LoopbackServer.Route.get("/") { [body] _ in .text(body).with(.throttle(bytes: 2, every: .milliseconds(1))) }
            .with(.delay(.milliseconds(20))).with(.truncate(after: 5)).with(.oversizedHeader(bytes: 10))
        let client = try connected(to: route)
        try client.request("/")
        #expect(try client.head()["X-Oversized"] == "oooooooooo")
        #expect(try client.rest() == Data("01234".utf8))
    }

    @Test func `A fault on some calls does not affect the others`() throws {
        let server = try running(LoopbackServer.Route.get("/") { _ in .text("x") }.with(.closeWithoutBytes, onCalls: [2]))
        #expect(try WireClient(port: server.port).ask("/").text == "x")
        #expect(throws: WireClient.Failure.closed) { try WireClient(port: server.port).ask("/") }
        #expect(try WireClient(port: server.port).ask("/").text == "x")
    }

    @Test func `raw sends exactly these bytes`() throws {
        let bytes = Data("HTTP/1.1 200 OK\r\nno colon here\r\n\r\n".utf8)
        let client = try connected(to: .get("/") { _ in .raw(bytes) })
        try client.request("/")
        #expect(try client.rest() == bytes)
    }

    @Test func `A redirect contains its target`() throws {
        let reply = try connected(to: .get("/loop") { _ in .redirect(to: "/loop") }).ask("/loop")
        #expect(reply.status == 302)
        #expect(reply["Location"] == "/loop")
    }

    private func asking(_ fault: LoopbackServer.Fault) throws -> WireClient {
        let client = try connected(to: .get("/") { [body] _ in .text(body).with(fault) })
        try client.request("/")
        return client
    }
}
