import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// The log of a request is the log of its context.
@Suite("The log of a request", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct RequestLogTests {
    struct Tea: Codable, Equatable { var name: String }

    private let chain = URLChain(transport: CurlTransport())

    /// The log of a context once it has an outcome, with every duration as `?`.
    private func log<Model>(of context: Observer<Model>) -> [String] {
        let log = Slot<OperationLog.Chain?>()
        context.process { log.fill($0.log) }
        return (log.wait()??.messages ?? []).map { $0.replacing(/\d+(\.\d+)? m?s/, with: "?") }
    }

    @Test func `The context of a finished request has a log of the request, the response and the time`() throws {
        let server = try running(.get("/teas") { _ in .json(["name": "green"]) })
        let context = chain.route(.get, "\(server.baseURL)/teas").output(Tea.self).process()
        #expect(
            log(of: context) == [
                "[info] send: GET \(server.baseURL)/teas", "[info] send: 200 with 16 bytes after ?",
            ])
        #expect(context.log?.messages.count == 2)
    }

    @Test func `The log of a failed request has the reason for each attempt`() throws {
        let server = try running(.script("GET", "/teas", LoopbackServer.Script([.empty(503), .json(["name": 1])])))
        let url = "\(server.baseURL)/teas"
        let context = chain.retry(.transient(initial: .milliseconds(1), jitter: 0)).route(.get, url).output(Tea.self).process()
        #expect(
            log(of: context) == [
                "[info] send: GET \(url)", "[info] send: 503 with 0 bytes after ?",
                "[warning] mapHTTPErrors: \(url) responded with 503",
                "[info] retry: attempt 1 failed, the next follows in ?: \(url) responded with 503",
                "[info] send: GET \(url)", "[info] send: 200 with 10 bytes after ?",
                "[error] decodeResponse: the body does not match Tea at name",
            ])
    }

    @Test func `Operators write the log of their nodes`() throws {
        let server = try running(.get("/teas") { _ in .json(["name": "green"]) }, .get("/name") { _ in .json(["name": 1]) })
        let requests = try ["teas", "name", "none"].map { HTTPRequest(.get, try server.baseURL + $0) }
        let logs = requests.map { request in
            let tea = Observable.just(request).send(on: CurlTransport()).mapHTTPErrors().decodeResponse(as: Tea.self)
            return log(of: tea.asContext())
        }
        let sent = requests.map { "[info] send: GET \($0.url)" }
        #expect(logs[0] == [sent[0], "[info] send: 200 with 16 bytes after ?"])
        #expect(logs[1].last == "[error] decodeResponse: the body does not match Tea at name")
        #expect(logs[2].last == "[warning] mapHTTPErrors: \(requests[2].url) responded with 404")
        let unparsed = Observable.just(requests[2]).send(on: CurlTransport()).parseJSON().asContext()
        #expect(log(of: unparsed).last == "[error] parseJSON: the body is not JSON (line 1, column 1)")
    }

    @Test func `The log of a cancelled request shows what was sent`() throws {
        let server = try running(.get("/slow") { _ in .text("late").with(.hang(at: .beforeHead)) })
        let arrived = server.arrival()
        let context = chain.route(.get, "\(server.baseURL)/slow").data.process()
        #expect(arrived.wait() == true)
        context.cancel()
        #expect(log(of: context) == ["[info] send: GET \(server.baseURL)/slow"])
    }

    @Test func `The log of a context, which a sink gets too, contains no secret, wherever in the request or the response it is`() throws {
        let server = try running(
            .any("/refused") { _ in .json(["token": "s3cr3t"], status: 400) }, .any("/broken") { _ in .text("{\"token\": s3cr3t") },
            .any("/shape") { _ in .json(["name": ["s3cr3t"]]) })
        for path in ["refused", "broken", "shape", "missing"] {
            let route = "\(server.baseURL)/\(path)?key=s3cr3t".replacing("http://", with: "http://me:s3cr3t@")
            let sink = Slot<OperationLog>()
            let request = chain.log(to: { sink.fill($0) }).headers(["Authorization": "s3cr3t", "X-Any": "s3cr3t"])
                .route(.post, route).input(Tea.self).output(Tea.self)
            let own = log(of: request.process(Tea(name: "s3cr3t"))).joined(separator: "\n")
            for text in [own, try #require(sink.wait()).description] {
                #expect(!text.contains("s3cr3t"), "\(text)")
                #expect(text.contains("POST \(server.baseURL)/\(path)?key=***"))
            }
        }
    }

    @Test func `Sequential and concurrent requests merge their logs in order`() throws {
        let server = try running(.get("/:name") { request in .text(request.path) })
        let chain = chain
        @Sendable func get(_ name: String) -> Observer<Data> { chain.route(.get, "\(server.baseURL)/\(name)").data.process() }
        func sent(_ log: [String]) -> [String] { log.compactMap { $0.split(separator: "/").last.map(String.init) } }
        func paths(_ log: [String]) -> [String] { sent(log.filter { $0.contains(" GET ") }) }

        #expect(paths(log(of: get("a").map { _ in get("b") }.chain { _ in get("c") })) == ["a", "b", "c"])
        #expect(paths(log(of: get("a").combine(get("b")).combine(get("c")))) == ["a", "b", "c"])
        #expect(paths(log(of: get("a").map { _ -> Data in throw CancellationError() }.mapError { _ in get("b") })) == ["a", "b"])
        #expect(log(of: get("a").map { _ in get("b") }).count == 4)
    }

    @Test func `Concurrent requests have separate logs, besides that of a logger in the chain`() throws {
        let server = try running(.get("/:name") { request in .text(request.path) })
        let (logged, isLast) = (Counter(), Slot<Bool>())
        let logging = chain.log(.only(["send"])) { log in
            if log.messages.count == 2, logged.increment() == 50 { isLast.fill(true) }
        }
        let base = server.baseURL
        let contexts = (0..<50).map { logging.route(.get, "\(base)/\($0)").data.process() }
        #expect(contexts.map { log(of: $0).first } == (0..<50).map { "[info] send: GET \(base)/\($0)" })
        #expect(contexts.allSatisfy { $0.log?.messages.count == 2 })
        #expect(isLast.wait() == true)
        #expect(logged.value == 50)
    }

    @Test func `A chain that delivers on a queue has the whole log there`() throws {
        let server = try running(.get("/teas") { _ in .json(["name": "green"]) })
        let node = chain.processing(on: ConcurrentDispatchQueueScheduler(qos: .utility)).route(.get, "\(server.baseURL)/teas")
            .output(Tea.self)
        #expect(log(of: node.process().dispatchOn(.global(qos: .userInitiated))).count == 2)
    }
}
