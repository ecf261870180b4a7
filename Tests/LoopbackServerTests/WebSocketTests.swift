import Foundation
import StreamsTesting
import TestSupport
import Testing
import WebSocketFrames

@testable import LoopbackServer

@Suite("WebSockets on the wire", .countsResources, .stopsServers, .blocksThread)
struct WebSocketTests {
    static let handshake = [
        "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
    ]

    @Test func `The handshake of the RFC is answered as in the RFC, and frames that come with it are not lost`() throws {
        let client = try connected(to: .webSocket("/chat", subprotocols: ["superchat"]) { _, messages in messages })
        let lines = ["GET /chat HTTP/1.1", "Host: 127.0.0.1", "Sec-WebSocket-Protocol: chat, superchat"] + Self.handshake
        try client.send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + WebSocketFrame.bytes(.text("early"), mask: 7))
        let reply = try client.reply(hasBody: false)
        #expect(reply.status == 101)
        #expect(reply["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(reply["Sec-WebSocket-Protocol"] == "superchat")
        try client.send(Data(WebSocketFrame.close(.normal, mask: 9)))
        #expect(Array(try client.rest()) == WebSocketFrame.bytes(.text("early")) + WebSocketFrame.close(.normal))
    }

    @Test func `A request that is no valid handshake is refused`() throws {
        let client = try connected(to: .webSocket("/") { _, messages in messages })
        #expect(try client.ask("/").status == 426)
        #expect(try client.ask("/", headers: Self.handshake.map { $0.replacing("13", with: "8") })["Sec-WebSocket-Version"] == "13")
        #expect(try client.ask("/", headers: Self.handshake.map { $0.replacing("dGhl", with: "") }).status == 400)
        #expect(try client.ask("/", method: "POST", headers: Self.handshake).status == 405)
    }

    @Test(
        arguments: zip(
            [
                [0x81, 0x00], [0xC1, 0x80, 0, 0, 0, 0], [0x81, 0x81, 0, 0, 0, 0, 0xFF],
                [0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0],
            ],
            [1002, 1002, 1007, 1002] as [UInt16]))
    func `A client that breaks the protocol is closed with its code, and the route's messages fail`(bytes: [UInt8], code: UInt16) throws {
        let failed = Lock<(any Error)?>(nil)
        let client = try connected(to: .webSocket("/") { _, messages in messages.do(onError: { error in failed.withLock { $0 = error } }) })
        #expect(try client.ask("/", headers: Self.handshake).status == 101)
        try client.send(Data(bytes))
        let rest = Array(try client.rest())
        #expect(rest.prefix(1) == [0x88])
        #expect(Array(rest.dropFirst(2).prefix(2)) == [UInt8(code >> 8), UInt8(code & 0xFF)])
        #expect(failed.withLock { $0 } as? LoopbackServer.WebSocketClose != nil)
    }

    @Test func `A message larger than the limit is refused before it is received`() throws {
        let client = try connected(to: .webSocket("/", maximumMessageSize: 1_000) { _, messages in messages })
        #expect(try client.ask("/", headers: Self.handshake).status == 101)
        try client.send(Data([0x82, 0xFE, 0x03, 0xE9, 0, 0, 0, 0]))
        #expect(Array(try client.rest().dropFirst(2).prefix(2)) == [0x03, 0xF1])
    }

    @Test func `A route whose source can be suspended waits for a slow client`() throws {
        var limits = LoopbackServer.Limits()
        limits.streamBufferBytes = 1 << 20
        let text = String(repeating: "x", count: 1_000)
        let route = LoopbackServer.Route.webSocket("/") { _, _ in Observable.range(start: 0, count: 20_000).map { _ in .text(text) } }
        let client = try WireClient(port: running([route], limits: limits).port, receiveBufferBytes: 4_096)
        #expect(try client.ask("/", headers: Self.handshake).status == 101)
        let message = WebSocketFrame.bytes(.text(text))
        #expect(Array(try client.bytes(20_000 * message.count).suffix(message.count)) == message)
        #expect(try client.bytes(2) == Data(WebSocketFrame.close(.normal).prefix(2)))
    }

    @Test func `A client that disconnects disposes the route's stream`() throws {
        let disposed = DispatchSemaphore(value: 0)
        let client = try connected(to: .webSocket("/") { _, _ in .never().do(onDispose: { disposed.signal() }) })
        #expect(try client.ask("/", headers: Self.handshake).status == 101)
        client.abort()
        #expect(disposed.wait(timeout: .now() + 300) == .success)
    }
}
