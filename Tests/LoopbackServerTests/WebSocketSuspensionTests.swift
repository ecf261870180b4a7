import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing
import WebSocketFrames

@testable import LoopbackServer

@Suite("Routes of WebSockets that are slower than their clients", .countsResources, .stopsServers, .blocksThread)
struct WebSocketSuspensionTests {
    private static func frame(_ text: String) -> Data { Data(WebSocketFrame.bytes(.text(text), mask: 7)) }
    private static func ping(_ text: String) -> Data { Data(WebSocketFrame.bytes(.ping, Array(text.utf8), mask: 7)) }
    private static func pong(_ text: String) -> Data { Data(WebSocketFrame.bytes(.pong, Array(text.utf8))) }
    private static let close = Data(WebSocketFrame.close(.normal, mask: 7))
    private static let closed = Data(WebSocketFrame.close(.normal))

    /// A client, behind the handshake, of a route whose messages `reader` receives.
    private func connect(
        _ answer: @escaping @Sendable (Observable<WebSocketMessage>) -> Observable<WebSocketMessage>
    ) throws -> (LoopbackServer, WireClient) {
        let server = try running(.webSocket("/") { _, messages in answer(messages) })
        let client = try WireClient(port: server.port)
        #expect(try client.ask("/", headers: WebSocketTests.handshake).status == 101)
        return (server, client)
    }

    @Test func `While the route is suspended the client is read no further, and its writes wait`() throws {
        let reader = SuspendingReader<WebSocketMessage>()
        let (server, client) = try connect { messages in
            reader.read(messages) { true }
            return .never()
        }
        let closed = server.closing()
        let frame = Self.frame(String(repeating: "x", count: 1_000))
        let sent = Slot<Bool>()
        inBackground(client) { client in
            do {
                for _ in 0..<64_000 { try client.send(frame) }
                sent.fill(true)
            } catch { sent.fill(false) }
        }
        try reader.awaitFirst()
        server.stop()
        #expect(sent.wait() == false)
        #expect(closed.wait()?.bytesReceived ?? .max <= 2 << 20)
        #expect(reader.elements.count == 1)
    }

    @Test func `Suspended and resumed at every message, all arrive once and in order, and each ping is answered behind them`() throws {
        let reader = SuspendingReader<WebSocketMessage>()
        let (_, client) = try connect { messages in
            reader.readSlowly(messages)
            return .never()
        }
        let texts = (0..<1_000).map { "\($0)" }
        for (number, text) in texts.enumerated() {
            try client.send(Self.frame(text))
            if number.isMultiple(of: 100) { try client.send(Self.ping(text)) }
        }
        try client.send(Self.close)
        let pongs = stride(from: 0, to: 1_000, by: 100).reduce(into: Data()) { $0 += Self.pong("\($1)") }
        let answers = try client.rest()
        let expected = pongs + Self.closed
        #expect(answers == expected)
        let messages = try reader.all()
        #expect(messages == texts.map { .text($0) })
    }

    @Test func `A ping and the close frame behind a message that is not taken are answered when it is`() throws {
        let reader = SuspendingReader<WebSocketMessage>()
        let answers = PublishSubject<WebSocketMessage>()
        let (_, client) = try connect { messages in
            reader.readFirst(of: messages)
            return answers.asObservable()
        }
        try client.send(Self.frame("1") + Self.frame("2") + Self.ping("p") + Self.close)
        try reader.awaitFirst()
        answers.onNext(.text("suspended"))
        let first = Data(WebSocketFrame.bytes(.text("suspended")))
        #expect(try client.bytes(first.count) == first)
        reader.resume()
        let (rest, expected) = (try client.rest(), Self.pong("p") + Self.closed)
        #expect(rest == expected)
        let messages = try reader.all()
        #expect(messages == [.text("1"), .text("2")])
    }

    @Test func `A client that does not read what is sent back to it has to wait, and receives all of it`() throws {
        let (_, client) = try connect { $0 }
        let text = String(repeating: "x", count: 10_000)
        let (frame, answer) = (Self.frame(text), Data(WebSocketFrame.bytes(.text(text))))
        inBackground(client) { client in
            for _ in 0..<3_000 { try? client.send(frame) }
            try? client.send(Self.close)
        }
        for _ in 0..<3_000 {
            guard try client.bytes(answer.count) == answer else { return #expect(Bool(false)) }
        }
        #expect(try client.rest() == Self.closed)
    }

    @Test func `A route that ignores its messages answers pings and the close frame, and one that is done reads on`() throws {
        for route in [Observable<WebSocketMessage>.never(), .empty()] {
            let (_, client) = try connect { _ in route }
            try client.send(Self.frame(String(repeating: "x", count: 300_000)) + Self.ping("p") + Self.close)
            let answers = try client.rest()
            let expected = Self.pong("p") + Self.closed
            #expect(answers == expected || answers == Self.closed)
        }
    }

    @Test func `A client that disconnects ends a suspended route, and the server keeps nothing of it`() throws {
        let reader = SuspendingReader<WebSocketMessage>()
        let disposed = Slot<Bool>()
        let (_, client) = try connect { messages in
            reader.read(messages) { true }
            return .never().do(onDispose: { disposed.fill(true) })
        }
        try client.send(Self.frame("1") + Self.frame("2"))
        try reader.awaitFirst()
        client.abort()
        #expect(disposed.wait() == true)
        #expect(try reader.all() == [.text("1")])
    }
}
