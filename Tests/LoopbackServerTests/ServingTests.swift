import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Serving requests", .countsResources, .stopsServers, .blocksThread)
struct ServingTests {
    @Test func `A route responds with status, header and body`() throws {
        let reply = try connected(to: .get("/hello") { _ in .text("Hello", status: 201).header("X-Extra", "1") }).ask("/hello")
        #expect(reply.statusLine == "HTTP/1.1 201 Created")
        #expect(reply["Content-Type"] == "text/plain; charset=utf-8")
        #expect(reply["Content-Length"] == "5")
        #expect(reply["X-Extra"] == "1")
        #expect(reply.text == "Hello")
    }

    @Test func `Many requests share one connection`() throws {
        let server = try running(.get("/n/:number") { .text($0.parameters["number"] ?? "") })
        let client = try WireClient(port: server.port)
        for number in 0..<100 { #expect(try client.ask("/n/\(number)").text == "\(number)") }
        #expect(server.counts.connectionsOpened == 1)
        #expect(server.counts.requests == 100)
    }

    @Test func `Pipelined requests are answered in order`() throws {
        let client = try connected(to: .get("/n/:number") { .text($0.parameters["number"] ?? "") })
        try client.send((0..<2_000).map { "GET /n/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        for number in 0..<2_000 { #expect(try client.reply().text == "\(number)") }
    }

    @Test func `HEAD has the header of GET and no body`() throws {
        let client = try connected(to: .get("/hello") { _ in .text("Hello") })
        let reply = try client.ask("/hello", method: "HEAD")
        #expect(reply["Content-Length"] == "5")
        #expect(try client.ask("/hello").text == "Hello")
    }

    @Test func `A chunked body is passed to the handler complete`() throws {
        let client = try connected(to: .post("/echo") { .data($0.body) })
        try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\n")
        try client.send("5\r\npedia\r\n0\r\n\r\n")
        #expect(try client.reply().text == "Wikipedia")
    }

    @Test func `100 Continue is sent before the body`() throws {
        let client = try connected(to: .put("/echo") { .data($0.body) })
        try client.send("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.head().status == 100)
        try client.send("ok")
        #expect(try client.reply().text == "ok")
    }

    @Test func `Each kind of request that is refused gets its status`() throws {
        let server = try running()
        for sample in RequestSample.all where sample.text.utf8.count < 1_000 {
            guard case .refused(let status) = sample.answer else { continue }
            let client = try WireClient(port: server.port)
            try client.send(sample.text)
            #expect(try client.reply().status == status, "\(sample.name)")
        }
    }

    @Test func `Malformed input is answered and the connection closed`() throws {
        let server = try running(.get("/") { _ in .text("") })
        let client = try WireClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let reply = try client.reply()
        #expect(reply.status == 400)
        #expect(reply["Connection"] == "close")
        #expect(try client.rest().isEmpty)
        #expect(server.counts.malformedRequests == 1)
    }

    @Test func `A body beyond the limit is rejected although the client continues sending`() throws {
        var limits = LoopbackServer.Limits()
        limits.bodyBytes = 1_000
        let client = try WireClient(port: running([.post("/") { _ in .empty() }], limits: limits).port)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n" + String(repeating: "x", count: 500_000))
        #expect(try client.reply().status == 413)
    }

    @Test func `A header beyond the limit is rejected`() throws {
        let client = try connected(to: .get("/") { _ in .empty() })
        try client.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 100_000) + "\r\n\r\n")
        #expect(try client.reply().status == 431)
    }

    @Test func `HTTP/1.0 receives a body that ends with the connection`() throws {
        let client = try connected(to: .get("/") { _ in .text("old").chunked() })
        try client.send("GET / HTTP/1.0\r\n\r\n")
        let reply = try client.reply()
        #expect(reply["Transfer-Encoding"] == nil)
        #expect(reply.text == "old")
        #expect(try client.rest().isEmpty)
    }

    @Test func `A chunked response is sent in chunks`() throws {
        let client = try connected(to: .get("/") { _ in .text("in chunks").chunked() })
        let reply = try client.ask("/")
        #expect(reply["Transfer-Encoding"] == "chunked")
        #expect(reply["Content-Length"] == nil)
        #expect(reply.text == "in chunks")
        #expect(try client.ask("/").text == "in chunks")
    }

    @Test(arguments: [204, 304]) func `204 and 304 have neither body nor length`(status: Int) throws {
        let client = try connected(to: .get("/") { _ in LoopbackServer.Response(status: status, body: Data("no".utf8)) })
        #expect(try client.ask("/")["Content-Length"] == nil)
        #expect(try client.ask("/").status == status)
    }

    @Test func `A header value with a line break is rejected with 500`() throws {
        let reply = try connected(to: .get("/") { _ in .text("x").header("X-Evil", "a\r\nSet-Cookie: b") }).ask("/")
        #expect(reply.status == 500)
        #expect(reply["Set-Cookie"] == nil)
        #expect(reply.text.contains("X-Evil"))
    }

    @Test func `A handler that throws is answered with 500 and its error`() throws {
        #expect(try connected(to: .get("/") { _ in throw CocoaError(.fileNoSuchFile) }).ask("/").status == 500)
    }

    @Test func `50 MB are received as generated`() throws {
        let client = try connected(to: .get("/") { _ in .generated(bytes: 50_000_000) })
        try client.request("/")
        #expect(try client.head()["Content-Length"] == "50000000")
        #expect(try client.bytes(200_000) == LoopbackServer.Response.generatedBytes(0..<200_000))
        #expect(try client.skip(49_800_000) == 49_800_000)
        #expect(try client.ask("/", method: "HEAD").status == 200)
    }

    @Test func `A client that closed its sending side still receives its response`() throws {
        let client = try connected(to: .get("/") { _ in .text("late") })
        try client.request("/")
        client.endWriting()
        #expect(try client.reply().text == "late")
        #expect(try client.rest().isEmpty)
    }

    @Test func `200 clients are served concurrently`() throws {
        let server = try running(.get("/n/:number") { .text($0.parameters["number"] ?? "") })
        let clients = try (0..<200).map { _ in try WireClient(port: server.port) }
        for (number, client) in clients.enumerated() { try client.request("/n/\(number)") }
        for (number, client) in clients.enumerated() { #expect(try client.reply().text == "\(number)") }
        #expect(server.counts.connectionsOpen == 200)
    }

    @Test func `stop closes every connection and the port`() throws {
        let asked = DispatchSemaphore(value: 0)
        let never = LoopbackServer.Route.get("/never") { _ in
            asked.signal()
            return LoopbackServer.Response.empty().with(.hang(at: .beforeHead))
        }
        let server = try running(.get("/") { _ in .text("up") }, never)
        let port = server.port
        let clients = try (0..<20).map { _ in try WireClient(port: port) }
        for client in clients { #expect(try client.ask("/").text == "up") }
        for client in clients { try client.request("/never") }
        for _ in clients { #expect(asked.wait(timeout: .now() + 300) == .success) }
        server.stop()
        for client in clients { #expect(try client.rest().isEmpty) }
        #expect(throws: WireClient.Failure.cannotConnect(ECONNREFUSED)) { try WireClient(port: port) }
        #expect(server.counts.connectionsOpen == 0)
    }

    @Test func `A deallocated server stops`() throws {
        var server: LoopbackServer? = LoopbackServer(.get("/") { _ in .text("up") })
        try server?.start()
        let client = try WireClient(port: server?.port ?? 0)
        #expect(try client.ask("/").text == "up")
        server = nil
        #expect(try client.rest().isEmpty)
    }

    @Test func `It can be started again, but not twice`() throws {
        let server = try running(.get("/") { _ in .text("up") })
        #expect(throws: LoopbackServer.Failure.alreadyRunning) { try server.start() }
        server.stop()
        try server.start()
        #expect(try WireClient(port: server.port).ask("/").text == "up")
    }

    @Test func `A port in use is a typed error`() throws {
        let server = try running(.get("/") { _ in .text("up") })
        let second = LoopbackServer(port: server.port)
        #expect(throws: LoopbackServer.Failure.portInUse(server.port)) { try second.start() }
        #expect(throws: LoopbackServer.Failure.impossiblePort(70_000)) { try LoopbackServer(port: 70_000).start() }
    }

    @Test func `A handler may stop its own server`() throws {
        let box = WeakServer()
        let server = try running(
            .get("/stop") { _ in
                box.server?.stop()
                return .text("unsent")
            })
        box.server = server
        let client = try WireClient(port: server.port)
        try client.request("/stop")
        #expect(try client.rest().isEmpty)
    }
}

/// `@unchecked Sendable`: it is set before the first request is sent.
final class WeakServer: @unchecked Sendable {
    weak var server: LoopbackServer?
}
