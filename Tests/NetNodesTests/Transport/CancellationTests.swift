import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// Disposing ends a transfer at whatever stage it is: the server itself tells when it saw the end.
@Suite("Cancellation", .countsResources, .stopsServers)
struct CancellationTests {
    #if THREAD_SANITIZER
        private static let limit = Duration.milliseconds(1_000)
    #else
        private static let limit = Duration.milliseconds(100)
    #endif

    private let chain = URLChain(transport: CurlTransport())

    /// How long the server took to see that `attempt` had disposed.
    private func delay(_ attempt: () throws -> Duration?) throws -> Duration {
        try quickest(below: Self.limit) { try #require(try attempt(), "the server saw no end") }
    }

    /// When the server sees the next connection end whose request was not answered yet.
    private func nextEnd(at server: LoopbackServer) -> Slot<ContinuousClock.Instant> {
        let slot = Slot<ContinuousClock.Instant>()
        _ = server.connectionClosed.filter { $0.reason == .client && $0.interrupted != nil }.take(1).subscribe(onNext: { _ in
            slot.fill(.now)
        })
        return slot
    }

    private func endAfterDispose(_ slot: Slot<ContinuousClock.Instant>, _ subscription: any Disposable) -> Duration? {
        let start = ContinuousClock.now
        subscription.dispose()
        return slot.wait().map { $0 - start }
    }

    @Test func `before the start nothing is ever sent`() throws {
        let server = try running(.get("/a") { _ in .text("a") })
        let time = VirtualTimeScheduler()
        let stream = chain.route(.get, try server.baseURL + "a").data.stream()
        let subscription = stream.subscribe(on: time).subscribe { _ in Issue.record("an event after the disposal") }
        subscription.dispose()
        time.run()
        #expect(stream.ended().elements.count == 1)
        #expect(server.counts.requests == 1)
    }

    @Test func `immediately after the start no event is emitted, and no connection stays busy`() throws {
        let server = try running(.get("/hang") { _ in .text("a").with(.hang(at: .beforeHead)) }, .get("/a") { _ in .text("a") })
        let hanging = chain.route(.get, try server.baseURL + "hang").data.stream()
        for _ in 0..<100 { hanging.subscribe { _ in Issue.record("an event after the disposal") }.dispose() }
        #expect(chain.route(.get, try server.baseURL + "a").data.stream().ended().elements.count == 1)
        let deadline = ContinuousClock.now + .seconds(300)
        while server.counts.connectionsOpen > 1, ContinuousClock.now < deadline { sched_yield() }
        #expect(server.counts.connectionsOpen <= 1)
    }

    @Test func `while connecting, in the handshake`() throws {
        let took = try delay {
            let accepted = Slot<Bool>()
            let closed = Slot<ContinuousClock.Instant>()
            let server = try ScriptedServer { connection in
                accepted.fill(true)
                if connection.waitForClose(milliseconds: 300_000) { closed.fill(.now) }
            }
            let subscription = chain.route(.get, "https://127.0.0.1:\(server.port)/").data.stream().subscribe { _ in }
            #expect(accepted.wait() == true)
            return endAfterDispose(closed, subscription)
        }
        #expect(took < Self.limit)
    }

    @Test func `while waiting for the response`() throws {
        let server = try running(.get("/a") { _ in .text("a").with(.hang(at: .beforeHead)) })
        let node = chain.route(.get, try server.baseURL + "a").data
        let took = try delay {
            let (arrived, end) = (server.arrival(), nextEnd(at: server))
            let subscription = node.stream().subscribe { _ in }
            #expect(arrived.wait() == true)
            return endAfterDispose(end, subscription)
        }
        #expect(took < Self.limit)
    }

    @Test func `in the middle of the head`() throws {
        let took = try delay {
            let began = Slot<Bool>()
            let closed = Slot<ContinuousClock.Instant>()
            let server = try ScriptedServer { connection in
                guard connection.readRequest() != nil else { return }
                connection.send("HTTP/1.1 200 OK\r\nX-A: 1\r\nX-B:")
                began.fill(true)
                if connection.waitForClose(milliseconds: 300_000) { closed.fill(.now) }
            }
            let subscription = chain.route(.get, server.url()).data.stream().subscribe { _ in }
            #expect(began.wait() == true)
            return endAfterDispose(closed, subscription)
        }
        #expect(took < Self.limit)
    }

    @Test func `in the middle of the body`() throws {
        let server = try running(.get("/a") { _ in .generated(bytes: 50_000_000) })
        let request = HTTPRequest(.get, try server.baseURL + "a")
        let took = try delay {
            let end = nextEnd(at: server)
            let chunk = Slot<Bool>()
            let subscription = CurlTransport().transfer(request).subscribe { event in
                if case .next(.chunk) = event { chunk.fill(true) }
            }
            #expect(chunk.wait() == true)
            return endAfterDispose(end, subscription)
        }
        #expect(took < Self.limit)
    }

    @Test func `while a part of the response is decoded`() throws {
        let server = try running(.get("/a") { _ in .events(Observable.just(ServerEvent(data: "{}")).concat(Observable.never())) })
        let base = chain.route(.get, try server.baseURL + "a")
        let took = try delay {
            let end = nextEnd(at: server)
            let began = Slot<Bool>()
            let mayEnd = Slot<Bool>()
            let events = base.decoder { Blocked.decoder(began: began, mayEnd: mayEnd) }.events(Blocked.self)
            let subscription = events.stream().subscribe { _ in Issue.record("an event after the disposal") }
            #expect(began.wait() == true)
            let start = ContinuousClock.now
            subscription.dispose()
            mayEnd.fill(true)
            return end.wait().map { $0 - start }
        }
        #expect(took < Self.limit)
    }

    @Test func `while waiting for a token nothing is sent, also later`() throws {
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

    @Test func `while waiting for another attempt nothing is sent, also later`() throws {
        let server = try running(.get("/a") { _ in .empty(503) })
        let time = VirtualTimeScheduler()
        let failed = Slot<Bool>()
        let stream = chain.retry(.transient(initial: .seconds(1)), scheduler: time).inserting(Noting(failure: failed)).route(
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

/// Tells of a failure behind the other steps.
private struct Noting: RequestStep {
    let failure: Slot<Bool>

    func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
        AnyNode { [failure] in next.stream($0).do(onError: { _ in failure.fill(true) }) }
    }
}
