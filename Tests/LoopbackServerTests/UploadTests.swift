import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Uploads that arrive as streams", .countsResources, .stopsServers, .blocksThread)
struct UploadTests {
    private static let sum = LoopbackServer.Route.upload("POST", "/sum/:name") { request, body in
        body.reduce(0) { $0 + $1.count }.map { .text("\(request.parameters["name"] ?? "") \($0)") }
    }

    @Test func `A body of any size and form is passed on, and the connection is used again`() throws {
        var limits = LoopbackServer.Limits()
        limits.bodyBytes = 10
        let client = try WireClient(port: running([Self.sum, .post("/plain") { .text($0.text) }], limits: limits).port)
        #expect(try client.ask("/sum/a", method: "POST", body: String(repeating: "x", count: 100_000)).text == "a 100000")
        try client.request("/sum/b", method: "POST", headers: ["Transfer-Encoding: chunked"])
        try client.send("5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n")
        #expect(try client.reply().text == "b 6")
        #expect(try client.ask("/sum/c", method: "POST").text == "c 0")
        #expect(try client.ask("/plain", method: "POST", body: "1234567890").text == "1234567890")
        #expect(try client.ask("/plain", method: "POST", body: "12345678901").status == 413)
    }

    @Test func `A client that waits for a word before it sends the body gets it`() throws {
        let client = try connected(to: Self.sum)
        try client.request("/sum/a", method: "POST", headers: ["Expect: 100-continue", "Content-Length: 3"])
        #expect(try client.head().status == 100)
        try client.send("abc")
        #expect(try client.reply().text == "a 3")
    }

    @Test func `While the route is suspended the client is read no further, and is not idle`() throws {
        let reader = SuspendingReader<Data>()
        var limits = LoopbackServer.Limits()
        limits.idleTime = .seconds(2)
        let server = try running(
            [
                .upload("PUT", "/file") { _, body in
                    reader.readFirst(of: body)
                    return .never()
                }
            ], limits: limits)
        let closed = server.closing()
        let count = 64 << 20
        let client = try WireClient(port: server.port)
        try client.request("/file", method: "PUT", headers: ["Content-Length: \(count)"])
        inBackground(client) { try? $0.send(Data(repeating: 7, count: count)) }
        try reader.awaitFirst()
        let first = reader.data.count
        // One that is idle is closed; meanwhile all bytes would arrive, if they were read.
        let idle = try WireClient(port: server.port)
        #expect(closed.wait()?.reason == .idle)
        idle.close()
        #expect(reader.data.count == first && first <= 1 << 20)
        reader.resume()
        let bytes = try reader.all().reduce(0) { $0 + $1.count }
        #expect(bytes == count && reader.data.allSatisfy { $0 == 7 })
    }

    @Test func `What a suspended route has not read when the server stops was not received`() throws {
        let reader = SuspendingReader<Data>()
        let server = try running(
            .upload("PUT", "/file") { _, body in
                reader.read(body) { true }
                return .never()
            })
        let closed = server.closing()
        let client = try WireClient(port: server.port)
        try client.request("/file", method: "PUT", headers: ["Content-Length: \(64 << 20)"])
        let isSent = DispatchSemaphore(value: 0)
        inBackground(client) { client in
            try? client.send(Data(count: 64 << 20))
            isSent.signal()
        }
        try reader.awaitFirst()
        server.stop()
        isSent.wait()
        #expect(closed.wait()?.bytesReceived ?? .max <= 2 << 20)
        #expect(reader.failure as? LoopbackServer.InterruptedUpload != nil)
    }

    @Test(arguments: [true, false])
    func `Suspended and resumed at every piece, everything arrives once and in order`(isChunked: Bool) throws {
        let reader = SuspendingReader<Data>()
        let server = try running(
            .upload("PUT", "/file") { _, body in
                reader.readSlowly(body)
                return .never()
            })
        let client = try WireClient(port: server.port)
        let sent = LoopbackServer.Response.generatedBytes(0..<1_000_000)
        try client.request("/file", method: "PUT", headers: [isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 1000000"])
        for start in stride(from: 0, to: sent.count, by: 10_000) {
            let piece = sent[start..<(start + 10_000)]
            try client.send(isChunked ? Data("2710\r\n".utf8) + piece + Data("\r\n".utf8) : piece)
        }
        if isChunked { try client.send("0\r\n\r\n") }
        let all = try reader.all().reduce(Data(), +)
        #expect(all == sent)
    }

    @Test func `A response before the end of the body closes the connection, and the rest is not read`() throws {
        let client = try connected(
            to: .upload("POST", "/early") { _, body in body.take(1).map { _ in .text("enough") } },
            Self.sum.guarded { _ in .empty(401) })
        try client.request("/early", method: "POST", headers: ["Content-Length: 1000"])
        try client.send("a")
        let reply = try client.reply()
        #expect(reply.text == "enough" && reply["Connection"] == "close")
        #expect(try client.rest().isEmpty)
    }

    @Test func `A route that refuses the request does not read the body`() throws {
        let client = try connected(to: Self.sum.guarded { _ in .empty(401) })
        try client.request("/sum/a", method: "POST", headers: ["Content-Length: 1000"])
        #expect(try client.reply(hasBody: false).status == 401)
        #expect(try client.rest().isEmpty)
    }

    @Test func `A malformed chunk is answered with 400, and the body fails`() throws {
        let reader = SuspendingReader<Data>()
        let client = try connected(
            to: .upload("POST", "/") { _, body in
                reader.read(body) { false }
                return .never()
            })
        try client.request("/", method: "POST", headers: ["Transfer-Encoding: chunked"])
        try client.send("3\r\nabc\r\nnone\r\n")
        #expect(try client.reply().status == 400)
        #expect(reader.failure as? LoopbackServer.InterruptedUpload != nil && reader.data == Data("abc".utf8))
    }

    @Test func `A client that disconnects disposes the route, and the body does not complete`() throws {
        let reader = SuspendingReader<Data>()
        let disposed = DispatchSemaphore(value: 0)
        let client = try connected(
            to: .upload("POST", "/") { _, body in
                reader.read(body) { false }
                return .never().do(onDispose: { disposed.signal() })
            })
        try client.request("/", method: "POST", headers: ["Content-Length: 1000"])
        try client.send("abc")
        try reader.awaitFirst()
        client.abort()
        #expect(disposed.wait(timeout: .now() + 300) == .success)
        #expect(reader.failure as? LoopbackServer.InterruptedUpload != nil)
    }

    @Test func `An upload that is sent back to a client that does not read waits for it`() throws {
        let client = try connected(to: .upload("POST", "/echo") { _, body in .just(.stream(body)) })
        let sent = LoopbackServer.Response.generatedBytes(0..<(32 << 20))
        try client.request("/echo", method: "POST", headers: ["Content-Length: \(sent.count)"])
        inBackground(client) { try? $0.send(sent) }
        let reply = try client.reply()
        #expect(reply.body == sent)
    }

    @Test func `A response whose source can be suspended never overflows, however slow the client`() throws {
        var limits = LoopbackServer.Limits()
        limits.streamBufferBytes = 1 << 20
        let pieces = Observable.range(start: 0, count: 1_000).map { Data(repeating: UInt8(truncatingIfNeeded: $0), count: 64 << 10) }
        let client = try WireClient(port: running([.get("/") { _ in .stream(pieces) }], limits: limits).port, receiveBufferBytes: 4_096)
        let reply = try client.ask("/")
        let expected = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(reply.body.count == 1_000 * 64 << 10)
        #expect(stride(from: 0, to: reply.body.count, by: 64 << 10).map { reply.body[$0] } == expected)
    }
}
