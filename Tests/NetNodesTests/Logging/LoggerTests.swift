import Foundation
import LoopbackServer
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Logger", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct LoggerTests {
    struct Tea: Codable, RawMappable, Equatable { var name: String }

    /// The logs that a sink got.
    private final class Sink: Sendable {
        let logs = Lock([OperationLog]())
        let first = Slot<OperationLog>()

        func take(_ log: OperationLog) {
            logs.withLock { $0.append(log) }
            first.fill(log)
        }
    }

    @Test func `The sink receives the messages of all nodes in the order of the chain, with one call per request`() throws {
        let server = try running(.script("GET", "/teas", LoopbackServer.Script([.empty(503), .json(["name": 1])])))
        let sink = Sink()
        let chain = URLChain(transport: CurlTransport()).log(to: sink.take).retry(.transient(initial: .milliseconds(1)))
            .route(.get, try server.baseURL + "teas").output(Tea.self)
        #expect(chain.stream().ended().error is JSON.ModelFailure)
        let log = try #require(sink.first.wait())
        #expect(
            log.messages.map(\.node) == [
                "send", "send", "mapHTTPErrors", "retry",
                "send", "send", "mapFromRaw",
            ])
        #expect(log.messages.first?.text == "GET \(server.baseURL)/teas")
        #expect(log.messages.last?.text == "the body does not match Tea at name")
        #expect(log.ending == .failed("the body does not match Tea at name"))
        #expect(log.messages.map(\.time) == log.messages.map(\.time).sorted())
        #expect(sink.logs.withLock { $0.count } == 1)
    }

    @Test func `Concurrent requests have separate logs and numbers`() throws {
        let server = try running(.get("/:name") { request in .text(request.path) })
        let sink = Sink()
        let base = server.baseURL
        let chain = URLChain(transport: CurlTransport()).log(.only(["send"]), to: sink.take)
        let all = Observable.merge((0..<50).map { chain.route(.get, "\(base)/\($0)").data.stream() })
        #expect(all.ended().elements.count == 50)
        let logs = sink.logs.withLock { $0 }
        #expect(Set(logs.map(\.id)).count == 50)
        #expect(Set(logs.compactMap(\.messages.first?.text)).count == 50)
        #expect(logs.allSatisfy { $0.messages.count == 2 && $0.ending == .completed })
    }

    @Test func `A cancelled request is logged too, once`() throws {
        let server = try running(.get("/slow") { _ in .text("x") }.with(.hang(at: .beforeHead)))
        let arrived = server.arrival()
        let sink = Sink()
        let chain = URLChain(transport: CurlTransport()).log(to: sink.take).route(.get, try server.baseURL + "slow").data
        let subscription = chain.stream().subscribe { _ in }
        #expect(arrived.wait() == true)
        subscription.dispose()
        subscription.dispose()
        #expect(sink.first.wait()?.ending == .cancelled)
        #expect(sink.logs.withLock { $0.count } == 1)
    }

    @Test func `A request whose response is awaited has completed, and was not cancelled`() async throws {
        let sink = Sink()
        let stub = StubTransport { request in .text("x", to: request) }
        let chain = URLChain(transport: stub).log(to: sink.take).route(.get, "http://teas").data
        #expect(try await chain.stream().firstElement() == Data("x".utf8))
        #expect(chain.stream().first().ended().elements == [Data("x".utf8)])
        #expect(sink.logs.withLock { $0.map(\.ending) } == [.completed, .completed])
    }

    @Test func `An output that is read while it is received is logged with its request, head and end`() throws {
        let server = try running(
            .get("/lines") { _ in .lines(Observable.of("1", "2")) }, .get("/gone") { _ in .empty(404) },
            .get("/torn") { _ in .text("1\n2").with(.contentLength(9)) })
        let sink = Sink()
        func log(_ path: String) throws -> OperationLog? {
            let url = try server.baseURL + path
            _ = URLChain(transport: CurlTransport()).log(to: sink.take).route(.get, url).query(["key": "SECRET"]).lines(Int.self).stream()
                .ended()
            return sink.logs.withLock { $0.last }
        }
        let read = try #require(try log("lines"))
        #expect(read.messages.map(\.node) == ["send", "send", "send"])
        #expect(read.messages.prefix(2).map(\.text) == ["GET \(server.baseURL)/lines?key=***", "200"])
        #expect(read.messages.last?.text.hasPrefix("4 bytes after ") == true)
        #expect(read.ending == .completed)
        #expect(try log("gone")?.messages.dropFirst().first?.text == "404")
        let torn = try #require(try log("torn"))
        #expect(torn.messages.last?.level == .error)
        #expect(torn.messages.last?.text.contains("6 bytes are missing") == true)
    }

    @Test func `A stub that only throws fails the request`() {
        let stub = StubTransport { _ in throw TransportError.noResponse }
        let error = URLChain(transport: stub).route(.get, "http://teas").data.stream().ended().error
        #expect(error as? TransportError == .noResponse)
    }

    @Test func `A stream that is disposed between two elements was cancelled`() {
        let sink = Sink()
        let subject = PublishSubject<Int>()
        let subscription = subject.asObservable().logged(to: sink.take).subscribe { _ in }
        subject.onNext(1)
        subscription.dispose()
        #expect(sink.logs.withLock { $0.map(\.ending) } == [.cancelled])
    }

    @Test func `Messages are filtered by node and by level`() {
        func logged(_ filter: OperationLog.Filter) -> [String] {
            let sink = Sink()
            let stream = Observable<Int>.logging { log in
                log.note(.debug, "A", "1")
                log.note(.warning, "A", "2")
                log.note(.error, "B", "3")
                return .just(1)
            }
            _ = stream.logged(filter, to: sink.take).ended()
            return sink.first.wait()?.messages.map(\.text) ?? []
        }
        #expect(logged(.from(.debug)) == ["1", "2", "3"])
        #expect(logged(.from(.warning)) == ["2", "3"])
        #expect(logged(.only(["A"])) == ["1", "2"])
        #expect(logged(.except(["A"])) == ["3"])
        #expect(logged(OperationLog.Filter { node, _ in node == "C" }) == [])
    }

    @Test func `The nodes between models and raw data log the path of a failure`() throws {
        let sink = Sink()
        let raw = AnyNode<JSON, JSON> { _ in .just(["name": 3]) }
        let node = LoggerNode(sink: sink.take, next: DTOMapperNode<Tea, Tea>(next: raw))
        #expect(node.stream(Tea(name: "green")).ended().error is JSON.ModelFailure)
        #expect(sink.first.wait()?.messages.map(\.description) == ["[error] mapFromRaw: the body does not match Tea at name"])
    }

    @Test func `An unexpected body is logged and not an error`() throws {
        let server = try running(.post("/a") { _ in .text("hello") }, .post("/b") { _ in .empty() })
        for (path, messages) in [("a", ["5 bytes of an unexpected body"]), ("b", [])] {
            let sink = Sink()
            let chain = URLChain(transport: CurlTransport()).log(.only(["voidOutput"]), to: sink.take)
                .route(.post, try server.baseURL + path).void
            #expect(chain.stream().ended().error == nil)
            #expect(sink.first.wait()?.messages.map(\.text) == messages)
        }
    }

    @Test func `Any stream can be logged; memory is bounded for an endless request; control characters are escaped`() {
        let sink = Sink()
        let lines = Observable.from((0..<1_500).map { "line \($0)\u{1B}[2J" }).noting(.info, as: "Lines") { $0.element }
        #expect(lines.logged(to: sink.take).ended().elements.count == 1_500)
        let log = sink.first.wait()
        #expect(log?.messages.count == 1_000)
        #expect(log?.omitted == 500)
        #expect(log?.messages.first?.text == "line 0\\u{1B}[2J")
        #expect(log?.chain.messages.first == "[info] Lines: line 0\\u{1B}[2J")
    }

    @Test func `Without a logger no messages are created`() {
        let made = Counter()
        let stream = Observable.just(1).noting(.info, as: "A") { _ in
            made.increment()
            return ""
        }
        #expect(stream.ended().elements == [1])
        #expect(made.value == 0)
    }

    @Test func `The request's number is part of the scope of the subscription`() {
        let sink = Sink()
        let numbers = Observable<UInt64>.scoped { scope in .just(scope?[OperationID.self] ?? 0) }
        let seen = numbers.observe(on: SerialDispatchQueueScheduler(label: "other")).flatMap { first in numbers.map { [first, $0] } }
        let pair = seen.logged(to: sink.take).ended().elements.first
        #expect(pair?.first == sink.first.wait()?.id)
        #expect(pair?.first == pair?.last)
    }
}
