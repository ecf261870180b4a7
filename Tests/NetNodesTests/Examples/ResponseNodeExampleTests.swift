import Foundation
import LoopbackServer
import NetNodes
import NodeKit
import StreamsTesting
import TestSupport
import Testing

/// The nodes of a response, put together by hand in either order, in front of a real server.
@Suite("The listings about nodes of a response", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct ResponseNodeExampleTests {
    /// Which of the two nodes that look at the status a response meets first. By hand the one about empty bodies is first.
    enum Order: CaseIterable {
        case handwritten, chains
    }

    struct TeaDTO: Codable, RawMappable, Equatable { var name: String }

    struct Tea: DTOConvertible, Equatable {
        var name: String
        func toDTO() -> TeaDTO { TeaDTO(name: name) }
        static func from(dto: TeaDTO) -> Tea { Tea(name: dto.name) }
    }

    @Suite("Сборка запроса, ответ")
    struct WholeChain {
        // swift-format-ignore
        @Test func `A model goes through every node, in their order, and comes back`() throws {
            let server = try running(.post("/teas") { request in .json(try request.json(as: TeaDTO.self)) })
            let (transport, url, indicator, aborter) = (CurlTransport(), try server.baseURL + "teas", LoadIndicator(), Aborter())
            let tokens = TokenRefresherNode(chain: AnyNode<Void, String> { .just("fresh") }) { _ in }

            let dataParser = ResponseDataParserNode()
            let httpErrors = ResponseHttpErrorProcessorNode(next: dataParser)
            let preprocessor = ResponseDataPreprocessorNode(next: httpErrors)
            let processor = ResponseProcessorNode(next: preprocessor)
            let sender = RequestSenderNode(transport: transport, next: processor)
            let technicalErrors = TechnicalErrorMapperNode(next: AborterNode(aborter: aborter, next: sender))
            let creator = RequestCreatorNode(next: HeaderInjectorNode(headers: ["Accept-Language": "eo"], next: technicalErrors))
            let access = AccessSafeNode(refresher: tokens, next: creator)
            let transformator = URLRequestTransformatorNode<JSON, JSON>(method: .post, next: access)
            let encoder = RequestEncoderNode(encoding: .json, next: transformator)
            let query = URLQueryInjectorNode(query: URLQuery(["stack": "left"]), next: encoder)
            let router = RequestRouterNode(route: url as any URLRouteProvider, next: query)
            let metadata = MetadataConnectorNode(metadata: ["X-Client": "7"], next: router)
            let mapper = DTOMapperNode<TeaDTO, TeaDTO>(next: metadata)
            let model = ModelInputNode<Tea, Tea>(next: mapper)
            let indicated = LoadIndicatableNode(indicator: indicator, next: model)
            let chain = ChainConfiguratorNode(startOn: .global(qos: .userInitiated), deliverOn: DispatchQueue(label: "delivery"), next: indicated)

            #expect(chain.stream(Tea(name: "green")).ended().elements == [Tea(name: "green")])
            let request = server.recordedRequests.first
            #expect(request?.query("stack") == "left")
            #expect(request?.headers["X-Client"] == "7")
            #expect(request?.headers["Accept-Language"] == "eo")
            #expect(try request?.json(as: TeaDTO.self) == TeaDTO(name: "green"))

            aborter.abort()
            #expect(chain.stream(Tea(name: "green")).ended().error is Aborter.OperationAborted)
            #expect(server.recordedRequests.count == 1)
        }
    }

    @Suite("ChainConfiguratorNode")
    struct Queues {
        @Test func `Queues are configured: it starts on one and delivers on the other`() {
            let key = DispatchSpecificKey<String>()
            let (start, delivery) = (
                DispatchQueue(label: "start", qos: .userInitiated, attributes: .concurrent), DispatchQueue(label: "delivery")
            )
            start.setSpecific(key: key, value: "start")
            delivery.setSpecific(key: key, value: "delivery")
            let next = AnyNode<Void, String?> { .just(DispatchQueue.getSpecific(key: key)) }
            let chain = ChainConfiguratorNode(startOn: start, deliverOn: delivery, next: next)
            let places = chain.stream().map { [$0, DispatchQueue.getSpecific(key: key)] }
            #expect(places.ended().elements == [["start", "delivery"]])
        }

        @Test func `By default it starts in the background and delivers on the main queue`() async throws {
            let key = DispatchSpecificKey<String>()
            DispatchQueue.main.setSpecific(key: key, value: "main")
            defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
            let next = AnyNode<Void, String?> { .just(DispatchQueue.getSpecific(key: key)) }
            let places = ChainConfiguratorNode(next: next).stream().map { [$0, DispatchQueue.getSpecific(key: key)] }
            #expect(try await places.firstElement() == [nil, "main"])
        }
    }

    @Suite("ResponseHttpErrorProcessorNode")
    struct HTTPErrors {
        /// The result of each answer.
        static let table = [400: "badRequest", 401: "unauthorized", 403: "forbidden", 404: "notFound", 500: "internalServerError"]

        @Test(arguments: Order.allCases, ["", "null", "{}", "<p>"])
        func `The known statuses have errors of their own, with a body and without`(order: Order, body: String) throws {
            for (status, name) in Self.table {
                let ended = try answered(.text(body, status: status), order)
                #expect(ended.elements.isEmpty)
                #expect(ended.error?.kind == "HTTPError.\(name)")
            }
        }

        @Test(arguments: Order.allCases) func `A 401 without a body is unauthorized`(order: Order) throws {
            let ended = try answered(.empty(401), order)
            #expect(ended.error?.kind == "HTTPError.unauthorized")
            #expect((ended.error as? HttpError)?.failure.body.isEmpty == true)
        }
    }

    @Suite("ResponseDataPreprocessorNode")
    struct Preprocessor {
        @Test(arguments: Order.allCases) func `A 204 continues with empty JSON`(order: Order) throws {
            let ended = try answered(.empty(204), order)
            #expect(ended.elements == [.empty])
            #expect(ended.error == nil)
        }
    }

    @Suite("ResponseDataParserNode")
    struct Parser {
        @Test(arguments: Order.allCases) func `An object is parsed`(order: Order) throws {
            #expect(try answered(.json(text: #"{"name": "green"}"#), order).elements == [["name": "green"]])
        }

        @Test(arguments: Order.allCases) func `An array is parsed as well`(order: Order) throws {
            #expect(try answered(.json(text: #"[{"name": "green"}, 2]"#), order).elements == [[["name": "green"], 2]])
        }

        @Test(arguments: [("7", 7), (#""green""#, "green"), ("true", true)] as [(String, JSON)], Order.allCases)
        func `So is a scalar`(_ body: (text: String, value: JSON), order: Order) throws {
            #expect(try answered(.json(text: body.text), order).elements == [body.value])
        }

        @Test(arguments: Order.allCases) func `Malformed JSON is an error with its position`(order: Order) throws {
            #expect(try answered(.json(text: #"{"name": "#), order).error is JSON.SyntaxError)
        }
    }

    @Suite("TechnicalErrorMapperNode")
    struct TechnicalErrors {
        @Test func `A refused connection is cantConnectToHost`() throws {
            let url = try "http://127.0.0.1:\(try ReservedPorts.next())/".url()
            #expect(sent(to: url, .handwritten).error?.kind == "TechnicalError.cantConnectToHost")
        }

        @Test func `An idle server is timeout`() throws {
            let server = try running(.get("/") { _ in .text("late").with(.hang(at: .beforeHead)) })
            let timeouts = HTTPRequest.Timeouts(idle: .milliseconds(200))
            #expect(sent(to: server.baseURL, .handwritten, timeouts).error?.kind == "TechnicalError.timeout")
        }

        @Test func `No network is noInternetConnection, and other errors are forwarded`() {
            let offline = AnyNode<Int, Int> { _ in .error(TransportError.networkUnreachable(url: "http://h/")) }
            #expect(TechnicalErrorMapperNode(next: offline).stream(1).ended().error?.kind == "TechnicalError.noInternetConnection")
            let cancelled = AnyNode<Int, Int> { _ in .error(CancellationError()) }
            #expect(TechnicalErrorMapperNode(next: cancelled).stream(1).ended().error is CancellationError)
        }
    }
}

/// The result of a request to a server with one answer.
private func answered(_ response: LoopbackServer.Response, _ order: ResponseNodeExampleTests.Order) throws -> Ended<JSON> {
    let server = try running(.get("/") { _ in response })
    return sent(to: server.baseURL, order)
}

/// The nodes from the empty input to the parsed response.
private func sent(
    to url: URL, _ order: ResponseNodeExampleTests.Order, _ timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts()
) -> Ended<JSON> {
    let parser = ResponseDataParserNode()
    let processor =
        switch order {
        case .handwritten: ResponseProcessorNode(next: ResponseDataPreprocessorNode(next: ResponseHttpErrorProcessorNode(next: parser)))
        case .chains: ResponseProcessorNode(next: ResponseHttpErrorProcessorNode(next: ResponseDataPreprocessorNode(next: parser)))
        }
    let technical = TechnicalErrorMapperNode(next: RequestSenderNode(transport: CurlTransport(), next: processor))
    let creator = RequestCreatorNode(timeouts: timeouts, next: technical)
    let encoder = RequestEncoderNode(encoding: .automatic, next: URLRequestTransformatorNode<JSON, JSON>(method: .get, next: creator))
    let router = RequestRouterNode(route: url as any URLRouteProvider, next: encoder)
    return VoidInputNode(next: MetadataConnectorNode(next: router)).stream().ended()
}
