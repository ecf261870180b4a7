import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Accepting connections", .countsResources, .stopsServers, .blocksThread)
struct ListenerTests {
    @Test func `Without free descriptors it waits without spinning, and serves the waiting clients`() throws {
        let refusals = Lock(3)
        let server = LoopbackServer(
            port: 0, limits: LoopbackServer.Limits(), routes: [.get("/") { _ in .text("served") }],
            accept: { listener in
                let refuses = refusals.withLock { left in
                    defer { left -= 1 }
                    return left > 0
                }
                return refuses ? .exhausted(EMFILE) : SocketCalls.accept(listener)
            })
        try server.start()
        #expect(try WireClient(port: server.port).ask("/").text == "served")
        #expect(server.counts.acceptFailures == 3)
    }

    @Test func `A client that disconnects before it is accepted is harmless`() throws {
        let server = try running(.get("/") { _ in .text("served") })
        for _ in 0..<50 { try WireClient(port: server.port).abort() }
        #expect(try WireClient(port: server.port).ask("/").text == "served")
    }

    @Test func `It listens on the loopback address only`() throws {
        let server = try running(.get("/") { _ in .empty() })
        #expect(server.baseURL.absoluteString == "http://127.0.0.1:\(server.port)")
        let port = String(server.port, radix: 16, uppercase: true)
        var addresses: Set<Substring> = []
        // No snapshot: where other sockets come and go meanwhile, one may be left out, or listed twice.
        for _ in 0..<1_000 where addresses.isEmpty {
            // Foundation's way to read a whole file ends with the first page of this one, which lists 26 sockets.
            guard let file = FileHandle(forReadingAtPath: "/proc/net/tcp") else { return }
            let table = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
            let listening = table.split(separator: "\n").filter { $0.contains(":\(port) 00000000:0000 0A") }
            addresses = Set(listening.compactMap { $0.split(separator: " ").dropFirst().first })
        }
        #expect(addresses == ["0100007F:\(port)"])
    }

    @Test func `An unused port refuses connections`() throws {
        let port = try LoopbackServer.unusedPort()
        #expect(throws: WireClient.Failure.cannotConnect(ECONNREFUSED)) { try WireClient(port: port) }
    }

    @Test func `Closing the connections keeps the port open`() throws {
        let server = try running(.get("/") { _ in .text("up") })
        let client = try WireClient(port: server.port)
        #expect(try client.ask("/").text == "up")
        server.closeConnections()
        #expect(try client.rest().isEmpty)
        #expect(try WireClient(port: server.port).ask("/").text == "up")
    }

    @Test func `A thousand short connections leave no descriptor behind`() throws {
        let server = try running(.get("/") { _ in .text("x").header("Connection", "close") })
        for _ in 0..<1_000 { #expect(try WireClient(port: server.port).ask("/").text == "x") }
        server.stop()
        #expect(server.counts.connectionsOpen == 0)
        #expect(server.counts.connectionsOpened == 1_000)
    }
}
