import Foundation
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

/// The same request by nodes in the order of NodeKit, by operators, and by `URLChain`.
@Suite("Three programs of one request", .onOneThread, .countsResources)
struct StepProgramsTests {
    struct TeaDTO: RawMappable, Equatable {
        var label: String

        func toRaw() throws -> JSON {
            guard label != "forbidden" else { throw JSON.ModelFailure.unencodable(type: "TeaDTO", path: "label", reason: "forbidden") }
            return ["l": JSON(label)]
        }

        static func from(raw: JSON) throws -> TeaDTO {
            guard let label = raw["l"]?.string else { throw JSON.ModelFailure.undecodable(type: "TeaDTO", path: "l", reason: "missing") }
            return TeaDTO(label: label)
        }
    }

    struct Tea: DTOConvertible, Equatable {
        var name: String

        func toDTO() throws -> TeaDTO {
            guard !name.isEmpty else { throw JSON.ModelFailure.unencodable(type: "Tea", path: "name", reason: "empty") }
            return TeaDTO(label: name)
        }

        static func from(dto: TeaDTO) throws -> Tea {
            guard dto.label != "coffee" else { throw JSON.ModelFailure.undecodable(type: "Tea", path: "name", reason: "no tea") }
            return Tea(name: dto.label)
        }
    }

    typealias Program = (name: String, make: @Sendable (any Transport, HTTPRequest.Method, String) -> any Node<Tea, Tea>)

    private static let policy = RetryPolicy.transient(initial: .zero, jitter: 0)
    private static let now = ImmediateScheduler.instance
    private static let locale: HTTPHeaders = ["Accept-Language": "eo"]

    @Sendable
    private static func refresher() -> TokenRefresherNode { TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }) { _ in } }

    static let programs: [Program] = [
        ("nodes", nodes), ("operators", operators), ("chain", chain),
    ]

    @Sendable
    private static func nodes(_ transport: any Transport, _ method: HTTPRequest.Method, _ route: String) -> any Node<Tea, Tea> {
        let parser = ResponseDataPreprocessorNode(next: ResponseDataParserNode())
        let processor = ResponseProcessorNode(next: ResponseHttpErrorProcessorNode(next: parser))
        let sender = TechnicalErrorMapperNode(next: RequestSenderNode(transport: transport, next: processor))
        let retry = RetryNode(policy: policy, scheduler: now, next: sender)
        let access = AccessSafeNode(refresher: refresher(), next: RequestCreatorNode(providers: [locale], next: retry))
        let building = URLRequestTransformatorNode<JSON, JSON>(method: method, next: access)
        let encoder = RequestEncoderNode(encoding: .automatic, next: building)
        let router = RequestRouterNode(
            route: route as any URLRouteProvider, next: URLQueryInjectorNode(query: URLQuery(["q": 1]), next: encoder))
        let mapper = DTOMapperNode<TeaDTO, TeaDTO>(next: MetadataConnectorNode(metadata: ["X": "2"], next: router))
        return ModelInputNode<Tea, Tea>(next: mapper)
    }

    @Sendable
    private static func operators(_ transport: any Transport, _ method: HTTPRequest.Method, _ route: String) -> any Node<Tea, Tea> {
        let refresher = refresher()
        return AnyNode { tea in
            let requests = Observable.just(tea).mapInput().mapToRaw().metadata(["X": "2"]).route(route as any URLRouteProvider)
                .query(URLQuery(["q": 1])).encoding(.automatic).httpRequest(method)
            let responses = requests.flatMap { request in
                Observable.just(request).headers(from: locale)
                    .through(.retrying(policy, scheduler: now)) { request in
                        Observable.just(request).send(on: transport).mapTechnicalErrors().mapHTTPErrors()
                    }
                    .refreshing(with: refresher)
            }
            return responses.parseJSON().mapFromRaw(to: TeaDTO.self).mapOutput(to: Tea.self)
        }
    }

    @Sendable
    private static func chain(_ transport: any Transport, _ method: HTTPRequest.Method, _ route: String) -> any Node<Tea, Tea> {
        URLChain(transport: transport).metadata(["X": "2"]).route(method, route).query(["q": 1]).headers(locale)
            .refreshingAccess(with: refresher()).retry(policy, scheduler: now).input(Tea.self).output(Tea.self)
    }

    private struct Outcome: Equatable {
        var elements: [Tea]
        var error: String?
        var log: [String]
        var sent: [HTTPRequest]
    }

    private func run(_ program: Program, _ method: HTTPRequest.Method, _ route: String, _ tea: String, _ answers: [(Int, String)])
        -> Outcome
    {
        let sent = Lock([HTTPRequest]())
        let log = Lock([String]())
        let transport = StubTransport { request in
            let count = sent.withLock { sent in
                sent.append(request)
                return sent.count
            }
            let (status, body) = answers[min(count, answers.count) - 1]
            guard status > 0 else { throw TransportError.connectionLost(url: "https://example.com", reason: "reset") }
            return .json(body, status: status, to: request)
        }
        let stream = program.make(transport, method, route).stream(Tea(name: tea)).logged(.from(.debug)) { operation in
            log.withLock { $0 = operation.messages.map { "\($0.node): \($0.text)" } }
        }
        let ended = stream.ended()
        return Outcome(
            elements: ended.elements, error: ended.error.map { "\($0)" }, log: log.withLock { $0 }, sent: sent.withLock { $0 })
    }

    @Test(arguments: [
        [(200, #"{"l": "green"}"#)], [(401, ""), (200, #"{"l": "green"}"#)], [(401, "")], [(503, ""), (200, #"{"l": "green"}"#)],
        [(503, "")], [(404, "gone")], [(200, #"{"m": 1}"#)], [(200, #"{"l": "coffee"}"#)], [(200, "{")], [(0, "")],
    ])
    func `They send the same requests, with the same outcome and the same log`(answers: [(Int, String)]) {
        for method in [HTTPRequest.Method.get, .post] {
            let outcomes = Self.programs.map { run($0, method, "https://example.com/teas?a=b", "oolong", answers) }
            #expect(outcomes[1] == outcomes[0], "operators, \(method)")
            #expect(outcomes[2] == outcomes[0], "chain, \(method)")
            #expect(!outcomes[0].sent.isEmpty)
        }
    }

    @Test(arguments: [("", "https://example.com"), ("forbidden", "https://example.com"), ("green", "nowhere")])
    func `They send nothing for a mistake, which has the same name in the log`(tea: String, route: String) {
        let outcomes = Self.programs.map { run($0, .post, route, tea, [(200, "{}")]) }
        #expect(outcomes[1] == outcomes[0])
        #expect(outcomes[2] == outcomes[0])
        #expect(outcomes[0].sent.isEmpty)
        #expect(outcomes[0].log.count == 1)
    }

    @Test func `A step of one's own has three forms`() {
        let scheduler = VirtualTimeScheduler()
        let signed: @Sendable (HTTPRequest) throws -> HTTPRequest = { request in
            HTTPRequest(request.method, request.url, headers: ["X-Signature": "1"])
        }
        let transport = StubTransport { .text($0.headers["X-Signature"] ?? "", to: $0) }
        let api = URLChain(transport: transport).route(.get, "https://example.com/teas")
        let requests = Observable.just(HTTPRequest(.get, URL(filePath: "/teas"))).map { request in
            HTTPRequest(request.method, try "https://example.com/teas".url())
        }
        let signing = StepMap<HTTPRequest, HTTPRequest>("Signing") { try signed($0) }
        let patient = Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>.after("Patient") {
            $0.timeout(.seconds(5), scheduler: scheduler)
        }

        let chain = api.inserting(HTTPMiddleware(.before(signing))).inserting(HTTPMiddleware(patient, .wholeResponsesOnly))
        let responses = requests.through(signing).through(patient, to: { transport.response(to: $0) })

        struct PatientNode: StepNode {
            let step: Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>
            let next: any Node<HTTPRequest, HTTPResponse>
        }
        let node = PatientNode(step: patient, next: AnyNode { Observable.just($0).send(on: transport) })
        let bodies = [chain.response.stream(), responses, requests.through(signing).through(node)].map { $0.map(\.body).ended().elements }
        #expect(bodies == Array(repeating: [Data("1".utf8)], count: 3))
    }

    @Test func `A chain without input begins with a model or a DTO, as in NodeKit`() {
        let echo = AnyNode<JSON, JSON> { _ in .just(["l": "green"]) }
        let models = VoidInputNode(next: ModelInputNode<JSON, Tea>(next: DTOMapperNode<JSON, TeaDTO>(next: echo)))
        #expect(models.stream().ended().elements == [Tea(name: "green")])
        #expect(VoidInputNode(next: DTOMapperNode<JSON, TeaDTO>(next: echo)).stream().ended().elements == [TeaDTO(label: "green")])
        #expect(Observable.just(()).voidInput().ended().elements == [.null])
    }

    @Test func `An ignored output is noted by the node and by the operator`() {
        let logs = Lock([[String]]())
        let bodies = AnyNode<Int, Data> { _ in .just(Data("left".utf8)) }
        for stream in [VoidOutputNode(next: bodies).stream(1), bodies.stream(1).voidOutput()] {
            let logged = stream.logged { operation in logs.withLock { $0.append(operation.messages.map(\.text)) } }
            #expect(logged.ended().elements.count == 1)
        }
        #expect(logs.withLock { $0 } == [["4 bytes of an unexpected body"], ["4 bytes of an unexpected body"]])
    }
}
