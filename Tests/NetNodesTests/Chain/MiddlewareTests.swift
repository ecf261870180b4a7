import Foundation
import LoopbackServer
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

/// Middlewares of one's own, and what reports on a chain.
@Suite("Middlewares", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct MiddlewareTests {
    /// Adds a letter to a header, so that the order of middlewares can be seen at the server.
    private func mark(_ letter: String) -> HTTPMiddleware {
        HTTPMiddleware("Mark \(letter)") { request, next in
            var request = request
            request.headers["X"] = (request.headers["X"] ?? "") + letter
            return next(request)
        }
    }

    private let louder = HTTPMiddleware("Louder") { request, next in
        next(request).map { response in
            var response = response
            response.body = Data(String(decoding: response.body, as: UTF8.self).uppercased().utf8)
            return response
        }
    }

    private let forgiving = HTTPMiddleware("Forgiving") { request, next in next(request) }

    private func echo() throws -> LoopbackServer {
        let server = try running(
            .get("/echo") { request in .text(request.headers["X"] ?? "") }, .get("/broken") { _ in .text("sorry", status: 500) })
        return server
    }

    @Test func `Middlewares can be inserted outside and inside of any position`() throws {
        let server = try echo()
        let chain = URLChain(transport: CurlTransport())
            .inserting(mark("g"), outside: .cache).inserting(mark("h"), inside: .cache)
            .inserting(mark("a"), outside: .refreshing).inserting(mark("b"), outside: .refreshing)
            .inserting(mark("c"), inside: .completing).inserting(mark("f"), inside: .mapTechnicalErrors)
            .inserting(mark("d")).inserting(mark("e")).inserting(louder, inside: .mapHTTPErrors)
            .route(.get, try server.baseURL + "echo")
        #expect(chain.data.stream().ended().elements == [Data("ABCDEFGH".utf8)])
        #expect(
            chain.description == """
                Mark a > Mark b > completing > Mark c > Mark d > Mark e > mapTechnicalErrors > Mark f > \
                mapHTTPErrors > Louder > Mark g > Mark h > send
                """)
    }

    @Test func `What a chain has at a position can be replaced`() throws {
        let server = try echo()
        let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "broken")
        #expect(chain.data.stream().ended().error is HTTPError)
        let replaced = chain.replacing(.mapHTTPErrors, with: forgiving)
        #expect(replaced.data.stream().ended().elements == [Data("sorry".utf8)])
        #expect(replaced.description.hasSuffix("mapTechnicalErrors > Forgiving > send"))
        #expect(server.counts.requests == 2)
    }

    @Test func `A replaced position keeps what was inserted around it, and loses what the chain has there`() throws {
        let server = try echo()
        let chain = URLChain(transport: CurlTransport()).retry().inserting(mark("x")).metrics { _ in }
            .adaptingResponses { _ in throw CancellationError() }
            .inserting(mark("a"), outside: .request).inserting(mark("b"), inside: .request)
            .inserting(louder, outside: .response)
            .replacing(.request, with: mark("r")).replacing(.response, with: forgiving)
            .route(.get, try server.baseURL + "echo")
        #expect(chain.data.stream().ended().elements == [Data("ARB".utf8)])
        #expect(
            chain.description == """
                completing > Mark a > Mark r > Mark b > mapTechnicalErrors > mapHTTPErrors > Louder > \
                Forgiving > send
                """)
    }

    @Test func `What is outside of the adapters of responses receives what they return`() throws {
        let server = try echo()
        let chain = URLChain(transport: CurlTransport())
            .adaptingResponses { response in
                var response = response
                response.body += Data("first".utf8)
                return response
            }
            .inserting(louder, outside: .response)
            .adaptingResponses { response in
                var response = response
                response.body += Data("second".utf8)
                return response
            }.route(.get, try server.baseURL + "echo")
        #expect(chain.data.stream().ended().elements == [Data("FIRSTSECOND".utf8)])
    }

    @Test(arguments: [true, false])
    func `Bodies are discarded only if each middleware ignores them`(isIgnored: Bool) {
        let requests = Lock([HTTPRequest]())
        let chain = URLChain(
            transport: StubTransport { request in
                requests.withLock { $0.append(request) }
                return .text("body", to: request)
            }
        ).inserting(HTTPMiddleware("Own", isIgnored ? .ignoresBody : []) { request, next in next(request) }).retry().metrics { _ in }
        #expect(chain.route(.get, "http://localhost/").void.stream().ended().elements.count == 1)
        #expect(requests.withLock { $0.map(\.discardsBody) } == [isIgnored])
    }

    @Test func `A middleware may send the request again, or another one`() throws {
        let server = try echo()
        let elsewhere = HTTPMiddleware("Elsewhere") { [base = server.baseURL] request, next in
            next(request).catch { error in
                guard error is HTTPError else { throw error }
                return next(HTTPRequest(.get, try base + "echo", headers: ["X": "again"]))
            }
        }
        let chain = URLChain(transport: CurlTransport()).inserting(elsewhere).route(.get, try server.baseURL + "broken")
        #expect(chain.data.stream().ended().elements == [Data("again".utf8)])
        #expect(server.recordedRequests.map(\.path) == ["/broken", "/echo"])
    }

    @Test func `A middleware runs for each attempt of what is outside of it, and an error that it throws ends the exchange`() throws {
        let server = try running(.script("GET", "/a", LoopbackServer.Script([.empty(503), .text("done")])))
        let calls = Counter()
        let counting = HTTPMiddleware("Counting") { request, next in
            calls.increment()
            return next(request)
        }
        let base = URLChain(transport: CurlTransport()).retry(.transient(initial: .milliseconds(1)))
        let chain = base.inserting(counting).route(.get, "\(server.baseURL)/a").data
        #expect(calls.value == 0)
        #expect(chain.stream().ended().elements == [Data("done".utf8)])
        #expect(calls.value == 2)
        struct Unsigned: Error {}
        let failing = base.inserting(HTTPMiddleware("Failing") { _, _ in throw Unsigned() })
        #expect(failing.route(.get, "\(server.baseURL)/a").lines(Int.self).stream().ended().error is Unsigned)
        #expect(server.counts.requests == 2)
    }

    @Test func `Adapters change each request and each response`() throws {
        let server = try echo()
        let chain = URLChain(transport: CurlTransport()).headers(["X": "a"])
            .adaptingRequests { request in
                var request = request
                request.headers["X"] = request.headers["X"].map { "\($0)!" }
                return request
            }.adaptingResponses { response in
                var response = response
                response.body += Data("?".utf8)
                return response
            }.route(.get, try server.baseURL + "echo")
        #expect(chain.data.stream().ended().elements == [Data("a!?".utf8)])
        struct Unsigned: Error {}
        #expect(chain.adaptingRequests { _ in throw Unsigned() }.data.stream().ended().error is Unsigned)
        #expect(server.recordedRequests.count == 1)
    }

    @Test func `Metrics are reported for each attempt separately`() throws {
        let server = try running(.script("GET", "/a", LoopbackServer.Script([.empty(503), .text("done")])))
        let reports = Lock([HTTPResponse.Summary]())
        let chain = URLChain(transport: CurlTransport()).retry(.transient(initial: .milliseconds(1)))
            .metrics { metrics in reports.withLock { $0.append(metrics) } }.route(.get, "\(server.baseURL)/a?key=secret").data
        #expect(chain.stream().ended().error == nil)
        let seen = reports.withLock { $0 }
        #expect(seen.map(\.status) == [503, 200])
        #expect(seen.map(\.transfer.reusedConnection) == [false, true])
        #expect(seen.allSatisfy { $0.transfer.firstByte != nil && $0.transfer.total > .zero && $0.url.hasSuffix("/a?key=***") })
    }

    @Test func `A server's own error is emitted by the chain, while access is refreshed inside`() throws {
        struct Refused: Error, Codable, Equatable { var reason: String }
        let server = try running(
            .script(
                "GET", "/a",
                LoopbackServer.Script([.json(Refused(reason: "old"), status: 401), .json(Refused(reason: "out"), status: 409), .empty(409)])
            )
        )
        let refresher = TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }) { _ in }
        let chain = URLChain(transport: CurlTransport()).customError(as: Refused.self).refreshingAccess(with: refresher)
            .route(.get, try server.baseURL + "a").data
        #expect(chain.stream().ended().error as? Refused == Refused(reason: "out"))
        #expect(server.recordedRequests.count == 2)
        #expect(chain.stream().ended().error is HTTPError)
    }

    /// A value whose decoding waits until the test releases it.
    private struct Patient: Decodable {
        static let mayGoOn = DispatchSemaphore(value: 0)
        let hasWaited: Bool

        init(from decoder: any Decoder) {
            hasWaited = Self.mayGoOn.wait(timeout: .now() + 300) == .success
        }
    }

    @Test func `Decoding a response on a scheduler does not block other transfers`() throws {
        let server = try running(.any("/a") { _ in .text("{}") }, .get("/gone") { _ in .empty(410) })
        let base = URLChain(transport: CurlTransport()).processing(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated))
        let outcome = Slot<Bool>()
        let patient = base.route(.get, "\(server.baseURL)/a").output(Patient.self)
        let subscription = patient.stream().subscribe(onNext: { outcome.fill($0.hasWaited) }, onError: { _ in outcome.fill(false) })
        #expect(base.route(.post, "\(server.baseURL)/a").data.stream().ended().elements == [Data("{}".utf8)])
        #expect(base.route(.get, "\(server.baseURL)/gone").data.stream().ended().error is HTTPError)
        Patient.mayGoOn.signal()
        #expect(outcome.wait() == true)
        subscription.dispose()
        #expect(base.description.hasSuffix("observe > send"))
    }
}
