import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// Disposing ends a transfer at whatever stage it is: the server itself tells that it saw the end, which nothing but the disposal can bring,
/// for the chain has no timeouts.
@Suite("Cancellation", .countsResources, .stopsServers, .blocksThread)
struct CancellationTests {
    private static let unlimited = HTTPRequest.Timeouts(connect: nil, idle: nil)

    private let chain = URLChain(transport: CurlTransport()).timeouts(unlimited)

    /// Filled when the server sees the next connection end whose request was not answered yet.
    private func nextEnd(at server: LoopbackServer) -> Slot<Bool> {
        let slot = Slot<Bool>()
        _ = server.connectionClosed.filter { $0.reason == .client && $0.interrupted != nil }.take(1).subscribe(onNext: { _ in
            slot.fill(true)
        })
        return slot
    }

    @Test func `Before the start nothing is ever sent`() throws {
        let server = try running(.get("/a") { _ in .text("a") })
        let time = VirtualTimeScheduler()
        let stream = chain.route(.get, try server.baseURL + "a").data.stream()
        let subscription = stream.subscribe(on: time).subscribe { _ in Issue.record("an event after the disposal") }
        subscription.dispose()
        time.run()
        #expect(stream.ended().elements.count == 1)
        #expect(server.counts.requests == 1)
    }

    @Test func `Immediately after the start no event is emitted, and no connection stays busy`() throws {
        let server = try running(.get("/hang") { _ in .text("a").with(.hang(at: .beforeHead)) }, .get("/a") { _ in .text("a") })
        let hanging = chain.route(.get, try server.baseURL + "hang").data.stream()
        for _ in 0..<100 { hanging.subscribe { _ in Issue.record("an event after the disposal") }.dispose() }
        #expect(chain.route(.get, try server.baseURL + "a").data.stream().ended().elements.count == 1)
        let isIdle = Slot<Bool>()
        // It subscribes before it looks for the first time, so that it misses no end.
        _ = Observable.merge(server.connectionClosed.map { _ in }, .just(()))
            .filter { server.counts.connectionsOpen <= 1 }.take(1).subscribe(onNext: { isIdle.fill(true) })
        #expect(isIdle.wait() == true)
    }

    @Test func `While connecting, in the handshake`() throws {
        let (accepted, closed) = (Slot<Bool>(), Slot<Bool>())
        let server = try ScriptedServer { connection in
            accepted.fill(true)
            closed.fill(connection.waitForClose())
        }
        let subscription = chain.route(.get, "https://127.0.0.1:\(server.port)/").data.stream().subscribe { _ in }
        #expect(accepted.wait() == true)
        subscription.dispose()
        #expect(closed.wait() == true)
    }

    @Test func `While waiting for the response`() throws {
        let server = try running(.get("/a") { _ in .text("a").with(.hang(at: .beforeHead)) })
        let (arrived, end) = (server.arrival(), nextEnd(at: server))
        let subscription = chain.route(.get, try server.baseURL + "a").data.stream().subscribe { _ in }
        #expect(arrived.wait() == true)
        subscription.dispose()
        #expect(end.wait() == true)
    }

    @Test func `In the middle of the head`() throws {
        let (began, closed) = (Slot<Bool>(), Slot<Bool>())
        let server = try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nX-A: 1\r\nX-B:")
            began.fill(true)
            closed.fill(connection.waitForClose())
        }
        let subscription = chain.route(.get, server.url()).data.stream().subscribe { _ in }
        #expect(began.wait() == true)
        subscription.dispose()
        #expect(closed.wait() == true)
    }

    @Test func `In the middle of the body`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 50_000_000) })
        let request = HTTPRequest(.get, try server.baseURL + "a", timeouts: Self.unlimited)
        let (end, chunk) = (nextEnd(at: server), Slot<Bool>())
        let mayGoOn = Slot<Bool>()
        let subscription = CurlTransport().transfer(request).subscribe { event in
            guard case .next(.chunk) = event else { return }
            chunk.fill(true)
            _ = mayGoOn.wait()
        }
        #expect(chunk.wait() == true)
        subscription.dispose()
        mayGoOn.fill(true)
        #expect(end.wait() == true)
    }

    @Test func `While a part of the response is decoded`() throws {
        let server = try running(
            .get("/a") { _ in .events(Observable.just(LoopbackServer.SentEvent(data: "{}")).concat(Observable.never())) })
        let (end, began, mayEnd) = (nextEnd(at: server), Slot<Bool>(), Slot<Bool>())
        let events = chain.route(.get, try server.baseURL + "a").decoder { Blocked.decoder(began: began, mayEnd: mayEnd) }
            .events(Blocked.self)
        let subscription = events.stream().subscribe { _ in Issue.record("an event after the disposal") }
        #expect(began.wait() == true)
        subscription.dispose()
        mayEnd.fill(true)
        #expect(end.wait() == true)
    }

    @Test func `While waiting for a token nothing is sent, also later`() throws {
        let mayEnd = AsyncSubject<Void>()
        let service = try AccessService(until: mayEnd.asObservable())
        service.gate.expire()
        let refreshing = service.server.arrival(at: "/token/refresh")
        let answered = Slot<Bool>()
        let running = service.me.stream().subscribe { event in if event.element != nil { answered.fill(true) } }
        #expect(refreshing.wait() == true)
        service.me.stream().subscribe { _ in Issue.record("an event after the disposal") }.dispose()
        mayEnd.onNext(())
        mayEnd.onCompleted()
        #expect(answered.wait() == true)
        #expect(service.me.stream().ended().elements.count == 1)
        #expect(service.server.recordedRequests.filter { $0.path == "/me" }.count == 3)
        running.dispose()
    }

    @Test func `While waiting for another attempt nothing is sent, also later`() throws {
        let server = try running(.get("/a") { _ in .empty(503) })
        let time = VirtualTimeScheduler()
        let failed = Slot<Bool>()
        let noting = HTTPMiddleware("Noting") { request, next in next(request).do(onError: { _ in failed.fill(true) }) }
        let stream = chain.retry(.transient(initial: .seconds(1)), scheduler: time).inserting(noting).route(
            .get, try server.baseURL + "a"
        ).data.stream()
        let subscription = stream.subscribe { _ in Issue.record("an event after the disposal") }
        #expect(failed.wait() == true)
        subscription.dispose()
        time.run()
        #expect(server.counts.requests == 1)
    }
}

/// A model whose decoding takes until somebody lets it end.
private struct Blocked: Decodable, Sendable {
    private static let began = CodingUserInfoKey(rawValue: "began")
    private static let mayEnd = CodingUserInfoKey(rawValue: "mayEnd")

    static func decoder(began: Slot<Bool>, mayEnd: Slot<Bool>) -> JSONDecoder {
        let decoder = JSONDecoder()
        if let key = Self.began { decoder.userInfo[key] = began }
        if let key = Self.mayEnd { decoder.userInfo[key] = mayEnd }
        return decoder
    }

    init(from decoder: any Decoder) throws {
        for case (Self.began?, let slot as Slot<Bool>) in decoder.userInfo { slot.fill(true) }
        for case (Self.mayEnd?, let slot as Slot<Bool>) in decoder.userInfo { _ = slot.wait() }
    }
}
