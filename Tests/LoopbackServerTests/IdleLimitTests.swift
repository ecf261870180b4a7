import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

/// Who holds a connection and does nothing with it loses it.
@Suite("Idle limits", .countsResources, .stopsServers, .blocksThread)
struct IdleLimitTests {
    private func limited(
        idle: Duration = .seconds(3600), request: Duration = .seconds(3600), _ routes: LoopbackServer.Route...
    ) throws -> (server: LoopbackServer, closed: Slot<LoopbackServer.ClosedConnection>) {
        var limits = LoopbackServer.Limits()
        (limits.idleTime, limits.requestTime) = (idle, request)
        let server = try running(routes, limits: limits)
        return (server, server.closing())
    }

    @Test(arguments: ["", "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"]) func `An idle connection is closed`(first: String) throws {
        let isClosed = try succeedsAtSomePace { limit in
            let (server, closed) = try limited(idle: limit, .get("/a") { _ in .text("x") })
            let client = try WireClient(port: server.port)
            if !first.isEmpty {
                guard (try? client.send(first)) != nil, (try? client.reply())?.status == 200 else { return false }
            }
            #expect(closed.wait()?.reason == .idle)
            #expect(try client.rest().isEmpty)
            #expect(server.counts.connectionsOpen == 0)
            return true
        }
        #expect(isClosed)
    }

    @Test(arguments: [1, 3, 20, 30, 60])
    func `A request that is not complete in time is answered with 408, at whatever byte it stands still`(count: Int) throws {
        let (server, closed) = try limited(request: .milliseconds(100), .post("/a") { _ in .text("x") })
        let client = try WireClient(port: server.port)
        let text = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n0123456789"
        try client.send(String(text.prefix(count)))
        #expect(try client.reply().status == 408)
        client.close()
        #expect(closed.wait()?.reason != nil)
        #expect(server.recordedRequests.isEmpty)
    }

    @Test func `A slow head is rejected although bytes keep arriving`() throws {
        let (server, closed) = try limited(request: .milliseconds(200))
        let client = try WireClient(port: server.port)
        try client.send("GET /a HTTP/1.1\r\nX: ")
        // Less than the server takes for a header in all, however slow this is.
        while !client.hasInput(milliseconds: 2) { try? client.send("a") }
        #expect(closed.wait()?.interrupted == nil)
        #expect(server.counts.malformedRequests == 1)
    }

    @Test func `A client that receives nothing of its response is disconnected`() throws {
        let (server, closed) = try limited(idle: .milliseconds(200), .get("/a") { _ in .generated(bytes: 1 << 30) })
        let client = try WireClient(port: server.port, receiveBufferBytes: 4_096)
        try client.request("/a")
        #expect(closed.wait()?.reason == .idle)
    }

    @Test func `A client that waits for the server does not time out`() throws {
        let isAnswered = try succeedsAtSomePace { limit in
            let (server, closed) = try limited(idle: limit, request: limit, .get("/slow") { _ in .text("x").with(.delay(limit * 4)) })
            let client = try WireClient(port: server.port)
            guard (try? client.ask("/slow"))?.text == "x" else { return false }
            #expect(closed.wait()?.reason == .idle)
            return true
        }
        #expect(isAnswered)
    }

    @Test func `Recorded requests are bounded in bytes, including headers and targets`() throws {
        var limits = LoopbackServer.Limits()
        limits.recordedBytes = 200_000
        let server = try running([.get("/*") { _ in .empty() }], limits: limits)
        let client = try WireClient(port: server.port)
        let long = String(repeating: "x", count: 10_000)
        for _ in 0..<100 {
            #expect(try client.ask("/a", headers: ["X-Long: \(long)"]).status == 204)
            #expect(try client.ask("/\(long)").status == 204)
            #expect(try client.ask("/?" + String(repeating: "&", count: 1_000), headers: (0..<500).map { "X\($0):" }).status == 204)
        }
        let bytes = server.recordedRequests.reduce(0) { $0 + $1.target.utf8.count + "\(Array($1.headers))".utf8.count }
        #expect(bytes < 1_000_000)
        #expect(!server.recordedRequests.isEmpty)
        #expect(server.counts.requests == 300)
    }
}
