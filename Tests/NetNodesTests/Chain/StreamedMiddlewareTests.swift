import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// Middlewares around outputs that are read while they are received.
@Suite("Middlewares around streamed outputs", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct StreamedMiddlewareTests {
    @Test(arguments: ["lines", "events", "download", "transfer"])
    func `Middlewares outside of the check of the status are around what is read while it is received`(output: String) throws {
        let events = LoopbackServer.Route.get("/events") { _ in
            .events(Observable.from(["1", "2"]).map { LoopbackServer.SentEvent(data: $0) })
        }
        let lines = LoopbackServer.Route.script("GET", "/lines", LoopbackServer.Script([.empty(503), .text("1\n2\n")]))
        let server = try running(events, lines)
        let statuses = Lock([Int]())
        let inner = Counter()
        let outside = HTTPMiddleware("Outside") { request, next in
            next(request).do(onNext: { response in statuses.withLock { $0.append(response.status) } })
        }
        let chain = URLChain(transport: CurlTransport()).retry(.transient(initial: .milliseconds(1))).inserting(outside)
            .adaptingResponses { response in
                inner.increment()
                return response
            }.route(.get, try server.baseURL + (output == "events" ? "events" : "lines"))
        let directory = TemporaryDirectory()
        let file = directory.url.appending(path: "lines")
        switch output {
        case "lines": #expect(chain.lines(Int.self).stream().ended().elements == [1, 2])
        case "events": #expect(chain.events(Int.self, reconnection: nil).stream().ended().elements == [1, 2])
        case "download": #expect(chain.download(to: file).stream().ended().elements.last == .finished(file))
        default: #expect(chain.transfer.stream().ended().error == nil)
        }
        #expect(statuses.withLock { $0 } == [output == "transfer" ? 503 : 200])
        #expect(inner.value == 0)
    }

    private func numbers(_ text: String = "1\n2\n") -> URLChain<Routed, Void> {
        URLChain(transport: StubTransport { .text(text, to: $0) }).route(.get, "http://localhost/")
    }

    @Test(arguments: ["taken", "answered", "empty"])
    func `A middleware that ends the exchange before the output is complete is an error`(kind: String) {
        let middleware = HTTPMiddleware("Ending") { request, next in
            switch kind {
            case "taken": next(request).take(1)
            case "answered": .just(.text("3\n", to: request))
            default: .empty()
            }
        }
        let ended = numbers().inserting(middleware).lines(Int.self).stream().ended()
        #expect(ended.error as? TransportError == .noResponse)
    }

    @Test func `A middleware for whole responses only is not around a streamed output`() {
        let calls = Counter()
        let whole = HTTPMiddleware("Whole", .wholeResponsesOnly) { request, next in
            calls.increment()
            return next(request)
        }
        let chain = numbers("1").inserting(whole)
        #expect(chain.lines(Int.self).stream().ended().elements == [1])
        #expect(calls.value == 0)
        #expect(!chain.lines(Int.self).description.contains("Whole"))
        #expect(chain.output(Int.self).stream().ended().elements == [1])
        #expect(calls.value == 1)
    }

    @Test func `A middleware directly outside of the check of the status is around a streamed output`() {
        let calls = Counter()
        let counting = HTTPMiddleware("Counting") { request, next in
            calls.increment()
            return next(request)
        }
        #expect(numbers().inserting(counting, outside: .mapHTTPErrors).lines(Int.self).stream().ended().elements == [1, 2])
        #expect(calls.value == 1)
    }

    @Test func `A middleware receives the head before the first output, and when there is none yet`() {
        let events = PublishSubject<TransferEvent>()
        let log = Lock([String]())
        let noting = HTTPMiddleware("Noting") { request, next in
            next(request).do(onNext: { response in log.withLock { $0.append("head \(response.status)") } })
        }
        let chain = URLChain(transport: StubTransport(transfer: { _ in events.asObservable() })).inserting(noting)
        let subscription = chain.route(.get, "http://localhost/").lines(Int.self).stream()
            .subscribe(onNext: { number in log.withLock { $0.append("line \(number)") } })
        events.onNext(.head(HTTPResponse.Head(status: 200, headers: [:], url: URL(string: "http://localhost/")!)))
        #expect(log.withLock { $0 } == ["head 200"])
        events.onNext(.chunk(Data("1\n".utf8)))
        #expect(log.withLock { $0 } == ["head 200", "line 1"])
        subscription.dispose()
        #expect(!events.hasObservers)
    }

    @Test func `Subscriptions at the same time have outputs and heads of their own`() {
        let heads = Counter()
        let counting = HTTPMiddleware("Counting") { request, next in next(request).do(onNext: { _ in heads.increment() }) }
        let lines = (0..<100).map { "\($0)\n" }.joined()
        let numbers = numbers(lines).inserting(counting).lines(Int.self)
        let workers = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
        let all = Observable.from(0..<200).flatMap { _ in numbers.stream().subscribe(on: workers).toArray().asObservable() }
        #expect(all.toArray().asObservable().ended().elements == [[[Int]](repeating: Array(0..<100), count: 200)])
        #expect(heads.value == 200)
    }
}
