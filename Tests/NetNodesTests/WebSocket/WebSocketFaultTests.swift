import Foundation
import LoopbackServer
import StreamsTesting
import Testing
import WebSocketFrames

@testable import NetNodes

@Suite("Faults of WebSockets", .countsResources, .stopsServers, .blocksThread)
struct WebSocketFaultTests {
    @Test func `A refused handshake is the error of its status, anything else a handshake error`() throws {
        let server = try running(
            .get("/no") { _ in .text("no access here", status: 403) }, .get("/ok") { _ in .text("a page") })
        let forbidden = WebSocketNode().messages(server.webSocket("/no?token=hunter2")).ended().error as? HTTPError
        #expect(forbidden?.status == 403)
        #expect(forbidden?.description.contains("no access here") == true)
        #expect(forbidden?.description.contains("hunter2") == false)
        let page = WebSocketNode().messages(server.webSocket("/ok")).ended().error as? WebSocketConnection.Failure
        #expect(page == .handshake(url: "http://127.0.0.1:\(server.port)/ok", reason: "it responded with 200"))
    }

    @Test(
        arguments: [
            "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
            "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
            "HTTP/1.1 101 OK\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n\r\n",
            "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ACCEPT\r\n\r\n",
            "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n",
            "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n"
                + "Sec-WebSocket-Protocol: other\r\n\r\n",
            "garbage\r\n\r\n", "HTTP/1.1 101", "", "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 300_000) + "\r\n\r\n",
        ])
    func `A response that is not the answer to this handshake is an error`(answer: String) throws {
        let server = try ScriptedServer { connection in
            guard let request = connection.readRequest() else { return }
            connection.send(
                answer.replacing("ACCEPT", with: WebSocketKey.accept(request.headers["sec-websocket-key"] ?? "")))
        }
        let error = WebSocketNode().messages(server.webSocket).ended().error
        #expect(error is WebSocketConnection.Failure || error is TransportError, "\(String(describing: error))")
    }

    @Test(
        arguments: zip(
            [
                [0x81, 0x80, 1, 2, 3, 4], [0xC1, 0], [0x81, 1, 0xFF], [0x09, 0], [0x82, 127, 0x7F, 0, 0, 0, 0, 0, 0, 0],
                [0x88, 2, 3, 0xED],
            ],
            [1002, 1002, 1007, 1002, 1009, 1002] as [UInt16]))
    func `A server that breaks the protocol gets the code of its fault, and the stream an error with it`(bytes: [UInt8], code: UInt16)
        throws
    {
        let told = Slot<WebSocketEvent>()
        let server = try ScriptedServer.acceptingWebSockets { connection in
            connection.send(WebSocketFrame.bytes(.text("before")) + bytes)
            var parser = WebSocketParser(isServer: true, maximumMessageSize: 1000)
            var events: [WebSocketEvent] = []
            while events.isEmpty, let more = connection.readAvailable() {
                _ = more.withUnsafeBytes { parser.parse($0, into: &events) }
            }
            if let event = events.first { told.fill(event) }
        }
        let ended = WebSocketNode(keepAlive: nil).messages(server.webSocket).ended()
        #expect(ended.elements == [.text("before")])
        switch ended.error as? WebSocketConnection.Failure {
        case .protocolViolation(let given, _, _): #expect(given.rawValue == code)
        case .messageTooLarge(let limit, _):
            #expect(code == 1009)
            #expect(limit == WebSocketNode.messageSize)
        default: Issue.record("\(String(describing: ended.error))")
        }
        guard case .close(let given, _)? = told.wait() else {
            Issue.record("the server was told nothing")
            return
        }
        #expect(given.rawValue == code)
    }

    @Test(arguments: [true, false]) func `A connection that is cut anywhere is an error, never a completion`(isReset: Bool) throws {
        let length = WebSocketFrame.bytes(.text("Hello")).count + WebSocketFrame.close(.normal).count
        for position in 0..<length {
            let fault = isReset ? LoopbackServer.Fault.reset(at: .inBody(after: position)) : .close(at: .inBody(after: position))
            let server = try running(.webSocket("/socket") { _, _ in .just(.text("Hello")) }.with(fault))
            let ended = WebSocketNode().messages(server.webSocket()).ended()
            #expect(ended.error?.kind == "TransportError.connectionLost", "cut at \(position)")
        }
        let server = try running(.echo)
        for fault in [LoopbackServer.Fault.reset(at: .beforeHead), .close(at: .beforeHead), .reset(at: .afterHead), .close(at: .afterHead)]
        {
            server.add(LoopbackServer.Route.echo.with(fault))
            let error = WebSocketNode().messages(server.webSocket()).ended().error
            #expect(error?.kind == "TransportError.connectionLost", "\(fault)")
        }
    }

    @Test func `A head that arrives byte by byte is read once, up to its limit`() throws {
        let request = HTTPRequest(.get, try "http://a/".url())
        var handshake = try ClientHandshake(request, subprotocols: [], redirects: 0)
        let line = Data("HTTP/1.1 101 OK\r\nX: ".utf8)
        var failure: TransportError?
        for position in 0..<400_000 where failure == nil {
            let byte = position < line.count ? line[position] : UInt8(ascii: position % 100 == 98 ? "\n" : position % 100 == 50 ? ":" : "x")
            do { _ = try handshake.consume(Data([byte])) } catch { failure = error as? TransportError }
        }
        let limit = request.limits.maximumHeaderSize
        #expect(failure == .malformedResponse(url: "http://a/", reason: "its header is longer than \(limit) bytes"))
    }

    @Test func `A handshake without an answer fails after the connect timeout`() throws {
        let server = try running(LoopbackServer.Route.echo.with(.hang(at: .beforeHead)))
        let scheduler = TestScheduler()
        var request = server.webSocket("/socket?token=hunter2")
        request.timeouts = HTTPRequest.Timeouts(connect: .seconds(20), idle: nil)
        let (arrived, failed) = (server.arrival(), Slot<TransportError?>())
        let subscription = WebSocketNode(keepAlive: nil, scheduler: scheduler).stream(request)
            .subscribe(onNext: { _ in }, onError: { failed.fill($0 as? TransportError) })
        defer { subscription.dispose() }
        #expect(arrived.wait() == true)
        while failed.wait(0.01) == nil { scheduler.advance(by: .seconds(20)) }
        let url = "http://127.0.0.1:\(server.port)/socket?token=***"
        #expect(failed.wait() == .timedOut(.connect, after: .seconds(20), url: url))
    }

    @Test func `A server that answers no ping is given up, in virtual time`() throws {
        let server = try ScriptedServer.acceptingWebSockets { connection in _ = connection.waitForClose() }
        let scheduler = TestScheduler()
        let failed = Slot<TransportError?>()
        var request = server.webSocket
        request.timeouts = HTTPRequest.Timeouts(connect: nil, idle: nil)
        let opened = Slot<Bool>()
        let subscription = WebSocketNode(keepAlive: .seconds(30), scheduler: scheduler).stream(request)
            .flatMap { connection -> Observable<WebSocketMessage> in
                opened.fill(true)
                return connection.messages
            }
            .subscribe(onNext: { _ in }, onError: { failed.fill($0 as? TransportError) })
        defer { subscription.dispose() }
        #expect(opened.wait() == true)
        while failed.wait(0.01) == nil { scheduler.advance(by: .seconds(30)) }
        #expect(failed.wait() == .timedOut(.idle, after: .seconds(30), url: "http://127.0.0.1:\(server.port)/"))
    }

    @Test func `What is not consumed by one subscriber is kept for the next, and a second at a time is refused`() throws {
        let server = try running(.webSocket("/socket") { _, _ in .from((0..<100).map { .text("\($0)") }) })
        let opened = Slot<WebSocketConnection>()
        let subscription = WebSocketNode().stream(server.webSocket()).subscribe(onNext: { opened.fill($0) })
        defer { subscription.dispose() }
        let connection = try #require(opened.wait())
        #expect(connection.messages.take(10).ended().elements == (0..<10).map { .text("\($0)") })
        #expect(connection.messages.take(1).ended().elements == [.text("10")])
        #expect(connection.messages.ended().elements == (11..<100).map { .text("\($0)") })
    }

    @Test(.startsChild) func `A connection leaves no descriptor behind, however it ends`() async {
        await #expect(processExitsWith: .success) {
            let server = try running(.echo, .webSocket("/cut") { _, _ in .error(CancellationError()) })
            func rounds(_ count: Int) {
                for _ in 0..<count {
                    _ = WebSocketNode().messages(server.webSocket(), sending: .empty()).ended()
                    _ = WebSocketNode().messages(server.webSocket("/cut")).ended()
                    _ = WebSocketNode().messages(server.webSocket("/none")).ended()
                    _ = WebSocketNode().messages(server.webSocket(), sending: .just(.text("x")).concat(Observable.never())).take(1).ended()
                }
            }
            func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
            rounds(3)
            let used = try descriptors()
            rounds(20)
            // A disposed connection is closed soon after.
            for _ in 0..<1_000 where try descriptors() > used { _ = WebSocketNode().messages(server.webSocket("/none")).ended() }
            #expect(try descriptors() <= used)
        }
    }
}
