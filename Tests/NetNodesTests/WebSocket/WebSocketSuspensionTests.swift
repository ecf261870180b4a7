import Foundation
import LoopbackServer
import StreamsTesting
import Testing
import WebSocketFrames

@testable import NetNodes

@Suite("WebSockets whose subscriber is suspended", .countsResources, .stopsServers, .blocksThread)
struct WebSocketSuspensionTests {
    private func messages(
        _ request: HTTPRequest, _ node: WebSocketNode = WebSocketNode(keepAlive: nil)
    ) -> Observable<WebSocketMessage> {
        node.stream(request).flatMap { $0.messages }
    }

    @Test func `The socket is not read, so that the server cannot continue sending`() throws {
        let frame = WebSocketFrame.bytes(.binary(Data(repeating: 1, count: 10_000)))
        let server = try EagerServer(sending: frame, times: 6000) { connection in
            guard let request = connection.readRequest() else { return }
            connection.send(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(WebSocketKey.accept(request.headers["sec-websocket-key"] ?? ""))\r\n\r\n")
        }
        let subscriber = SuspendingSubscriber(to: messages(server.server.webSocket)) { _ in true }
        #expect(subscriber.begins())
        #expect(settled { server.sent } < 30_000_000)
        #expect(subscriber.elements.count == 1)
        subscriber.dispose()
    }

    @Test(arguments: [false, true]) func `Suspended and resumed at every message, it delivers all in order`(isElsewhere: Bool) throws {
        let texts = (0..<1000).map { WebSocketMessage.text("\($0)") }
        let server = try running(.webSocket("/socket") { _, _ in .from(texts) })
        let queue = isElsewhere ? SerialDispatchQueueScheduler(qos: .userInitiated) : nil
        let subscriber = SuspendingSubscriber.suspendedAlways(
            to: WebSocketNode(keepAlive: nil).stream(server.webSocket()).flatMap { $0.messages(on: queue) })
        #expect(subscriber.completes() == true)
        #expect(subscriber.mostAtOnce == 1)
        #expect(subscriber.elements == texts)
        subscriber.dispose()
    }

    @Test func `The close of the server, and what breaks the protocol, are behind the messages that were received before`() throws {
        let server = try ScriptedServer.acceptingWebSockets { connection in
            let messages = (0..<100).flatMap { WebSocketFrame.bytes(.text("\($0)")) }
            connection.send(messages + WebSocketFrame.close(.goingAway))
            _ = connection.waitForClose()
        }
        let subscriber = SuspendingSubscriber.suspendedAlways(to: messages(server.webSocket))
        #expect(subscriber.completes() == false)
        #expect(subscriber.elements.count == 100)
        #expect((subscriber.error as? WebSocketConnection.Failure)?.description.contains("1001") == true)
    }

    @Test func `What one subscriber did not take while it was suspended is kept for the next`() throws {
        let server = try running(.webSocket("/socket") { _, _ in .from((0..<100).map { .text("\($0)") }) })
        let opened = Slot<WebSocketConnection>()
        let subscription = WebSocketNode(keepAlive: nil).stream(server.webSocket()).subscribe(onNext: { opened.fill($0) })
        defer { subscription.dispose() }
        let connection = try #require(opened.wait())
        let first = SuspendingSubscriber(to: connection.messages) { $0 == .text("9") }
        #expect(first.suspends())
        first.dispose()
        #expect(first.elements == (0..<10).map { .text("\($0)") })
        #expect(connection.messages.ended().elements == (10..<100).map { .text("\($0)") })
    }

    @Test func `A subscriber that is suspended does not make a ping look unanswered, in virtual time`() throws {
        let server = try ScriptedServer.acceptingWebSockets { connection in
            connection.send(WebSocketFrame.bytes(.text("a")))
            _ = connection.waitForClose()
        }
        let scheduler = TestScheduler()
        var request = server.webSocket
        request.timeouts = HTTPRequest.Timeouts(connect: nil, idle: nil)
        let subscriber = SuspendingSubscriber(to: messages(request, WebSocketNode(keepAlive: .seconds(30), scheduler: scheduler))) { _ in
            true
        }
        #expect(subscriber.begins())
        for _ in 0..<10 { scheduler.advance(by: .seconds(30)) }
        #expect(subscriber.completes(within: 0.1) == nil)
        subscriber.resume()
        while subscriber.completes(within: 0.01) == nil { scheduler.advance(by: .seconds(30)) }
        #expect((subscriber.error as? TransportError)?.kind == "TransportError.timedOut")
    }
}
