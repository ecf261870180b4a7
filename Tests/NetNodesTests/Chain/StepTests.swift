import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// Steps of one's own, and what reports on a chain.
@Suite("Steps of a chain", .countsResources, .stopsServers)
struct StepTests {
    /// Adds a letter to a header, so that the order of steps can be seen at the server.
    private struct Mark: RequestStep {
        let letter: String
        var name: String { "Mark \(letter)" }

        func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
            AnyNode { request in
                var request = request
                request.headers["X"] = (request.headers["X"] ?? "") + letter
                return next.stream(request)
            }
        }
    }

    private struct Louder: ResponseStep {
        func node<Output: Sendable>(before next: any Node<HTTPResponse, Output>) -> any Node<HTTPResponse, Output> {
            AnyNode { response in
                var response = response
                response.body = Data(String(decoding: response.body, as: UTF8.self).uppercased().utf8)
                return next.stream(response)
            }
        }
    }

    private struct OtherRoute: ChainStep {
        let route: any URLRouteProvider

        func node<Output: Sendable>(
            before next: any Node<RoutedRequest<AnyRequestBody, any URLRouteProvider>, Output>
        ) -> any Node<RoutedRequest<AnyRequestBody, any URLRouteProvider>, Output> {
            AnyNode { request in
                var request = request
                request.route = route
                return next.stream(request)
            }
        }
    }

    private struct Forgiving: ResponseStep {
        func node<Output: Sendable>(before next: any Node<HTTPResponse, Output>) -> any Node<HTTPResponse, Output> { next }
    }

    private func echo() throws -> LoopbackServer {
        let server = try running(
            .get("/echo") { request in .text(request.headers["X"] ?? "") }, .get("/broken") { _ in .text("sorry", status: 500) })
        return server
    }

    @Test func `steps can be inserted before and after any stage, and replace it`() throws {
        let server = try echo()
        let chain = URLChain(transport: CurlTransport())
            .inserting(Mark(letter: "e"), before: .requestSender).inserting(Mark(letter: "a"), before: .accessSafe)
            .inserting(Mark(letter: "b"), after: .requestCreator).inserting(Mark(letter: "d"), after: .technicalErrorMapper)
            .inserting(Mark(letter: "c")).inserting(Louder(), before: .responseHttpErrorProcessor)
            .inserting(OtherRoute(route: "\(server.baseURL)/echo"), after: .requestRouter)
            .route(.get, "http://nowhere.invalid/")
        #expect(chain.data.stream().ended().elements == [Data("ABCDE".utf8)])
        #expect(
            chain.description == """
                VoidInputNode > MetadataConnectorNode > RequestRouterNode > OtherRoute > RequestEncoderNode > URLRequestTransformatorNode > \
                Mark a > RequestCreatorNode > Mark b > Mark c > TechnicalErrorMapperNode > Mark d > Mark e > RequestSenderNode > \
                ResponseProcessorNode > Louder > ResponseHttpErrorProcessorNode
                """)
    }

    @Test func `the node of a stage can be replaced`() throws {
        let server = try echo()
        let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "broken")
        #expect(chain.data.stream().ended().error is HTTPError)
        let forgiving = chain.replacing(.responseHttpErrorProcessor, with: Forgiving())
        #expect(forgiving.data.stream().ended().elements == [Data("sorry".utf8)])
        #expect(forgiving.description.hasSuffix("ResponseProcessorNode > Forgiving"))
    }

    @Test func `adapters change each request and each response`() throws {
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

    @Test func `metrics are reported for each attempt separately`() throws {
        let server = try running(.get("/a", script: Script([.empty(503), .text("done")])))
        let reports = Lock([RequestMetrics]())
        let chain = URLChain(transport: CurlTransport()).retry(.transient(initial: .milliseconds(1)))
            .metrics { metrics in reports.withLock { $0.append(metrics) } }.route(.get, "\(server.baseURL)/a?key=secret").data
        #expect(chain.stream().ended().error == nil)
        let seen = reports.withLock { $0 }
        #expect(seen.map(\.status) == [503, 200])
        #expect(seen.map(\.transfer.reusedConnection) == [false, true])
        #expect(seen.allSatisfy { $0.transfer.firstByte != nil && $0.transfer.total > .zero && $0.url.hasSuffix("/a?key=***") })
    }

    @Test func `a server's own error is emitted by the chain, while access is refreshed inside`() throws {
        struct Refused: Error, Codable, Equatable { var reason: String }
        let server = try running(
            .get(
                "/a", script: Script([.json(Refused(reason: "old"), status: 401), .json(Refused(reason: "out"), status: 409), .empty(409)]))
        )
        let refresher = TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }) { _ in }
        let chain = URLChain(transport: CurlTransport()).customError(as: Refused.self).refreshingAccess(with: refresher)
            .route(.get, try server.baseURL + "a").data
        #expect(chain.stream().ended().error as? Refused == Refused(reason: "out"))
        #expect(server.recordedRequests.count == 2)
        #expect(chain.stream().ended().error is HTTPError)
    }

    private struct Unchanging<Value: Sendable>: ChainStep {
        func node<Output: Sendable>(before next: any Node<Value, Output>) -> any Node<Value, Output> { next }
    }

    @Test func `a request is the same with or without steps between the building nodes`() throws {
        let server = try running(.any("/a") { _ in .text("ok") })
        let base = URLChain(transport: CurlTransport()).metadata(["X-B": "1", "X-A": "2"]).query(["b": [1, 2]]).query(["a": true])
        let others = [
            base.inserting(Unchanging(), before: .metadataConnector), base.inserting(Unchanging(), after: .requestRouter),
            base.inserting(Unchanging(), before: .urlQueryInjector), base.inserting(Unchanging(), after: .requestEncoder),
            base.inserting(Unchanging(), after: .urlRequestTransformator),
        ]
        for chain in [base] + others {
            let get = chain.route(.get, "\(server.baseURL)/a?first=0").data
            let form = chain.encoding(.formURL).route(.post, "\(server.baseURL)/a").input(JSON.self).data
            #expect(get.stream().ended().error == nil)
            #expect(form.stream(["name": "Bob"]).ended().error == nil)
            #expect(chain.route(.get, "nowhere").data.stream().ended().error is RouteError)
        }
        let seen = server.recordedRequests.map { [$0.method, $0.target, String(decoding: $0.body, as: UTF8.self), "\($0.headers)"] }
        #expect(seen.count == 12)
        #expect(Set(seen).count == 2)
        #expect(seen.first?[1] == "/a?first=0&b%5B%5D=1&b%5B%5D=2&a=1")
    }

    /// A value whose decoding waits until the test releases it.
    private struct Patient: Decodable {
        static let mayGoOn = DispatchSemaphore(value: 0)
        let hasWaited: Bool

        init(from decoder: any Decoder) {
            hasWaited = Self.mayGoOn.wait(timeout: .now() + 300) == .success
        }
    }

    @Test func `decoding a response on a scheduler does not block other transfers`() throws {
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
        #expect(base.description.contains("RequestSenderNode > ResponseSchedulingNode > ResponseProcessorNode"))
    }
}
