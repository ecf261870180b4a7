import Foundation
import LoopbackServer
import NodeKit
import StreamsTesting
import Testing
import WebSocketFrames

@testable import NetNodes

@Suite("WebSockets", .countsResources, .stopsServers, .blocksThread)
struct WebSocketNodeTests {
    @Test func `Texts and bytes of every size come back, and the close of this side completes`() throws {
        let server = try running(.echo)
        let messages: [WebSocketMessage] = [
            .text(""), .text("Hello €"), .binary(Data()), .binary(Data(0...125)), .binary(Data(repeating: 1, count: 126)),
            .binary(Data(repeating: 2, count: 65_535)), .binary(Data(repeating: 3, count: 65_536)),
            .text(String(repeating: "0123456789", count: 100_000)), .text("last"),
        ]
        let received = WebSocketNode().messages(server.webSocket(), sending: .from(messages).concat(Observable.never()))
            .take(messages.count).ended()
        #expect(received.error == nil)
        #expect(received.elements == messages)
        let closed = WebSocketNode().messages(server.webSocket(), sending: .empty()).ended()
        #expect(closed.error == nil)
        #expect(!closed.isLate)
    }

    @Test func `Ten thousand messages arrive in order`() throws {
        let server = try running(.echo)
        let texts = (0..<10_000).map { "\($0)" }
        let outgoing = Observable.from(texts).map { WebSocketMessage.text($0) }.concat(Observable.never())
        let received = WebSocketNode().messages(server.webSocket(), sending: outgoing).take(texts.count).ended()
        #expect(received.elements == texts.map { .text($0) })
    }

    @Test func `Values travel as JSON`() throws {
        let server = try running(.echo)
        let received = WebSocketNode().stream(server.webSocket()).flatMap { connection -> Observable<[Int]> in
            connection.sender(of: [Int].self).onNext([1, 2])
            try connection.send(model: [3])
            connection.send(.text("no JSON"))
            return connection.messages(as: [Int].self)
        }.ended()
        #expect(received.elements == [[1, 2], [3]])
        #expect(received.error is JSON.SyntaxError)
    }

    @Test func `Headers, path, query and subprotocols reach the server, and its choice comes back`() throws {
        let server = try running(
            .webSocket("/a/:name", subprotocols: ["v2", "v1"]) { request, _ in
                .just(.text("\(request.parameters["name"] ?? "") \(request.target) \(request.headers["X-Token"] ?? "")"))
            })
        let request = server.webSocket("/a/b%20c?q=1", headers: ["X-Token": "t", "Connection": "close", "Sec-WebSocket-Key": "mine"])
        let answer = WebSocketNode(subprotocols: ["v3", "v1", "v2"]).stream(request).flatMap { connection in
            connection.messages.map { (connection.subprotocol, $0) }
        }.ended()
        #expect(answer.error == nil)
        #expect(answer.elements.first?.0 == "v1")
        #expect(answer.elements.first?.1 == .text("b c /a/b%20c?q=1 t"))
    }

    @Test func `The server's close with another code than 1000 is an error with code and reason`() throws {
        let server = try running(
            .webSocket("/socket") { _, _ in .error(LoopbackServer.WebSocketClose(.tryAgainLater, reason: "full\u{1B}[2J")) },
            .webSocket("/fails") { _, _ in .error(CancellationError()) })
        let url = "http://127.0.0.1:\(server.port)"
        let received = WebSocketNode().messages(server.webSocket()).ended().error as? WebSocketConnection.Failure
        #expect(received == .closed(.tryAgainLater, reason: "full\\u{1B}[2J", url: "\(url)/socket"))
        #expect(received?.description.contains("\u{1B}") == false)
        let failed = WebSocketNode().messages(server.webSocket("/fails")).ended().error as? WebSocketConnection.Failure
        #expect(failed == .closed(.internalError, reason: "", url: "\(url)/fails"))
    }

    @Test func `A code of this side reaches the server, and nothing can be sent behind it`() throws {
        let closed = Slot<[UInt8]>()
        let server = try ScriptedServer.acceptingWebSockets { connection in
            closed.fill(connection.readAvailable() ?? [])
            connection.send(WebSocketFrame.close(.goingAway))
        }
        let ended = WebSocketNode(keepAlive: nil).stream(server.webSocket).flatMap { connection -> Observable<WebSocketMessage> in
            connection.close(.goingAway, reason: "leaving")
            #expect(!connection.send(.text("late")))
            return connection.messages
        }.ended()
        #expect(ended.error == nil)
        var parser = WebSocketParser(isServer: true, maximumMessageSize: 100)
        var events: [WebSocketEvent] = []
        #expect(closed.wait()?.withUnsafeBytes { parser.parse($0, into: &events) } == nil)
        #expect(events == [.close(.goingAway, reason: "leaving")])
    }

    @Test func `Pings are answered between the fragments of a message`() throws {
        let answered = Slot<[UInt8]>()
        let server = try ScriptedServer.acceptingWebSockets { connection in
            connection.send(WebSocketFrame.bytes(.text, "a".utf8, isFinal: false) + WebSocketFrame.bytes(.ping, [1, 2, 3]))
            answered.fill(connection.readAvailable() ?? [])
            connection.send(WebSocketFrame.bytes(.continuation, "b".utf8) + WebSocketFrame.close(.normal))
            _ = connection.waitForClose()
        }
        let ended = WebSocketNode(keepAlive: nil).messages(server.webSocket).ended()
        #expect(ended.elements == [.text("ab")])
        #expect(ended.error == nil)
        var parser = WebSocketParser(isServer: true, maximumMessageSize: 100)
        var events: [WebSocketEvent] = []
        #expect(answered.wait()?.withUnsafeBytes { parser.parse($0, into: &events) } == nil)
        #expect(events == [.pong([1, 2, 3])])
    }

    @Test func `A redirect is followed, without secrets to another origin`() throws {
        let target = try running(
            .webSocket("/socket") { request, _ in .just(.text(request.headers["Authorization"] ?? "none")) })
        let port = target.port
        let server = try running(
            .get("/here") { _ in .redirect(to: "/socket", status: 307) },
            .get("/there") { _ in .redirect(to: "ws://127.0.0.1:\(port)/socket") },
            .webSocket("/socket") { request, _ in .just(.text(request.headers["Authorization"] ?? "none")) },
            .get("/loop") { _ in .redirect(to: "/loop") })
        let headers: HTTPHeaders = ["Authorization": "Bearer x"]
        #expect(WebSocketNode().messages(server.webSocket("/here", headers: headers)).ended().elements == [.text("Bearer x")])
        #expect(WebSocketNode().messages(server.webSocket("/there", headers: headers)).ended().elements == [.text("none")])
        let loop = WebSocketNode().messages(server.webSocket("/loop")).ended().error as? TransportError
        #expect(loop == .tooManyRedirects(limit: 10, url: "http://127.0.0.1:\(server.port)/loop"))
    }

    @Test func `A 401 of the handshake leads to one refresh of the token, and the connection`() throws {
        let tokens = BehaviorRelay(value: "old")
        let route = LoopbackServer.Route.webSocket("/socket") { _, _ in .just(.text("in")) }
        let server = try running(route.guarded { $0.bearerToken == "new" ? nil : .text("who?", status: 401) })
        struct Bearer: HeaderProvider {
            let tokens: BehaviorRelay<String>
            func headers() -> HTTPHeaders { ["Authorization": "Bearer \(tokens.value)"] }
        }
        let refreshes = Counter()
        let refresher = TokenRefresherNode(
            chain: AnyNode<Void, String> {
                refreshes.increment()
                return .just("new")
            }
        ) { tokens.accept($0) }
        let node = AccessSafeNode(
            refresher: refresher, next: RequestCreatorNode(providers: [Bearer(tokens: tokens)], next: WebSocketNode()))
        let ended = node.messages(server.webSocket()).ended()
        #expect(ended.elements == [.text("in")])
        #expect(ended.error == nil)
        #expect(refreshes.value == 1)
    }

    @Test func `A lost connection is made again with the backoff of the policy, and failures count from the last connection`() throws {
        let script = LoopbackServer.Script([.empty(503), .empty(503)], then: .fails)
        let count = Counter()
        let route = LoopbackServer.Route.webSocket("/socket") { _, _ in
            count.increment()
            return count.value < 3
                ? .just(.text("\(count.value)")).concat(Observable.error(LoopbackServer.WebSocketClose(.serviceRestart)))
                : .just(.text("3"))
        }
        let server = try running(
            route.guarded { _ in
                let response = script.next()
                return response.status == 503 ? response : nil
            })
        let policy = RetryPolicy.delay(.milliseconds(1), maxAttempts: 3)
        let ended = WebSocketNode().messages(server.webSocket(), reconnecting: policy).ended()
        #expect(ended.elements == [.text("1"), .text("2"), .text("3")])
        #expect(ended.error == nil)
        let refused = WebSocketNode().messages(server.webSocket("/none"), reconnecting: policy).ended().error as? HTTPError
        #expect(refused?.status == 404)
        #expect(server.recordedRequests.count { $0.path == "/none" } == 3)
    }
}
