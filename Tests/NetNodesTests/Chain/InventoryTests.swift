import Dispatch
import Foundation
import LoopbackServer
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

/// Every node, put together by hand and run.
@Suite("The nodes by hand", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct InventoryTests {
    struct UserDTO: Codable, RawMappable, Equatable { var name: String }

    struct User: DTOConvertible, Equatable {
        var name: String
        func toDTO() -> UserDTO { UserDTO(name: name) }
        static func from(dto: UserDTO) -> User { User(name: dto.name) }
    }

    private let queue = SerialDispatchQueueScheduler(label: "delivery")

    /// From the parsed response back to the HTTP request.
    private func transportLayer(_ transport: any Transport) -> any Node<HTTPRequest, JSON> {
        let parser = ResponseDataPreprocessorNode(next: ResponseDataParserNode())
        let processor = ResponseProcessorNode(next: ResponseHttpErrorProcessorNode(next: parser))
        let sender = RequestSenderNode(transport: transport, next: processor)
        return AborterNode(aborter: Aborter(), next: RetryNode(next: TechnicalErrorMapperNode(next: sender)))
    }

    private func buildingLayer(_ url: URL, _ next: any Node<HTTPRequest, JSON>) -> any Node<JSON, JSON> {
        let headers = HeaderInjectorNode(headers: ["Accept-Language": "eo"], next: next)
        let creator = RequestCreatorNode(providers: [HTTPHeaders([.init(name: "X-Provided", value: "1")])], next: headers)
        let access = AccessSafeNode(refresher: TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }) { _ in }, next: creator)
        let transformator = URLRequestTransformatorNode<JSON, JSON>(method: .post, next: access)
        let encoder = RequestEncoderNode(encoding: .json, next: transformator)
        let query = URLQueryInjectorNode(query: URLQuery(["q": true]), next: encoder)
        let router = RequestRouterNode(route: url as any URLRouteProvider, next: query)
        return MetadataConnectorNode(metadata: ["X-Metadata": "2"], next: router)
    }

    @Test func `A model passes through all nodes and back`() throws {
        let server = try running(.post("/users") { request in .json(try request.json(as: UserDTO.self)) })
        let indicator = LoadIndicator()
        let building = buildingLayer(try server.baseURL + "users", transportLayer(CurlTransport()))
        let model = ModelInputNode<User, User>(next: DTOMapperNode<UserDTO, UserDTO>(next: building))
        let chain = ChainConfiguratorNode(deliverOn: queue, next: LoadIndicatableNode(indicator: indicator, next: model))
        #expect(chain.stream(User(name: "Bob")).ended().elements == [User(name: "Bob")])
        let request = server.recordedRequests.first
        #expect(request?.path == "/users")
        #expect(request?.query("q") == "1")
        #expect(request?.headers["X-Metadata"] == "2")
        #expect(request?.headers["X-Provided"] == "1")
        #expect(request?.headers["Accept-Language"] == "eo")
    }

    @Test func `A chain without input and output`() throws {
        let server = try running(.post("/users") { request in .text("", status: request.body.isEmpty ? 204 : 500) })
        let building = buildingLayer(try server.baseURL + "users", transportLayer(CurlTransport()))
        let chain = VoidOutputNode(next: VoidInputNode(next: building))
        #expect(chain.stream().ended().elements.count == 1)
    }

    @Test func `Caching and logging nodes around a sent request`() throws {
        let server = try running(LoopbackServer.Route.get("/teas") { _ in .json(["green"]) }.conditional())
        let (cache, parser) = (MemoryResponseCache(), ResponseDataParserNode())
        let whole = ResponseProcessorNode(next: AnyNode<HTTPResponse, HTTPResponse> { .just($0) })
        let trigger = NotModifiedTriggerNode(cache: cache, next: RequestSenderNode(transport: CurlTransport(), next: whole))
        let saver = ETagSaverNode(cache: cache, next: ETagReaderNode(cache: cache, next: trigger))
        let writer = URLCacheWriterNode(cache: cache, next: saver)
        let network = AnyNode<HTTPRequest, JSON> { request in writer.stream(request).flatMap { parser.stream($0) } }
        let reader = URLCacheReaderNode(cache: cache, next: parser)
        let policy = FirstCachePolicyNode(cache: reader, next: IfConnectionFailedFromCacheNode(cache: reader, next: network))
        let logged = Slot<OperationLog>()
        let chain = LoggerNode(filter: .from(.debug), sink: { logged.fill($0) }, next: policy)
        let request = HTTPRequest(.get, try server.baseURL + "teas")
        #expect(chain.stream(request).ended().elements == [["green"]])
        #expect(chain.stream(request).ended().elements == [["green"], ["green"]])
        #expect(
            logged.wait()?.messages.map(\.node) == [
                "cached", "send", "send", "storingValidated", "storing",
            ])
        #expect(server.recordedRequests.last?.headers["If-None-Match"] != nil)
        server.stop()
        #expect(chain.stream(request).ended().elements == [["green"], ["green"]])
    }

    @Test func `The nodes of forms`() throws {
        let server = try running(.post("/upload") { request in .text(request.headers["X"] ?? "") })
        let sender = RequestSenderNode(transport: CurlTransport(), next: ResponseProcessorNode(next: DataLoadingResponseProcessorNode()))
        let creator = MultipartRequestCreatorNode(providers: [HTTPHeaders([.init(name: "X", value: "a")])], next: sender)
        let node = MultipartURLRequestTransformatorNode(next: creator)
        let route: any URLRouteProvider = try server.baseURL + "upload"
        let form = RoutedRequest(raw: MultipartForm([.field("title", "tea")]), route: route)
        #expect(node.stream(form).ended().elements == [Data("a".utf8)])
        #expect(server.recordedRequests.first?.text.contains("name=\"title\"\r\n\r\ntea\r\n") == true)
    }

    @Test func `The nodes of incremental responses`() throws {
        let server = try running(
            .get("/lines") { request in .text(request.query("from").map { "\($0)\n" } ?? "1\n2\n") },
            .get("/events") { _ in .events(Observable.just(LoopbackServer.SentEvent(data: "tick"))) })
        let transport = CurlTransport()
        let lines = HTTPRequest(.get, try server.baseURL + "lines")
        let events = ServerSentEventsNode(transport: transport, reconnection: nil)
        #expect(JSONLinesNode<Int>(transport: transport).stream(lines).ended().elements == [1, 2])
        #expect(events.stream(HTTPRequest(.get, try server.baseURL + "events")).ended().elements.map(\.data) == ["tick"])
        let page = AnyNode<Int, Int> { [base = server.baseURL] number in
            URLChain(transport: transport).route(.get, "\(base)/lines?from=\(number)").output(Int.self).stream()
        }
        #expect(PagerNode(page: page) { page, _ in page < 3 ? page + 1 : nil }.stream(1).ended().elements == [1, 2, 3])
        let directory = TemporaryDirectory()
        let target = directory.url.appending(path: "lines")
        #expect(DownloadNode(transport: transport, to: target).stream(lines).ended().elements.last == .finished(target))
        #expect(try Data(contentsOf: target) == Data("1\n2\n".utf8))
    }

    @Test func `process starts immediately and returns a context`() throws {
        let server = try running(.get("/users") { _ in .json(["Bob"]) })
        let names = Slot<[String]>()
        let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "users").output([String].self)
        let context = chain.process()
        context.onCompleted { names.fill($0) }
        #expect(names.wait() == ["Bob"])
    }

    @Test func `A search field keeps only the latest request`() throws {
        let server = try running(
            .get("/:word") { request in .text(request.parameters["word"] ?? "") },
            .get("/s") { _ in .text("s").with(.hang(at: .beforeHead)) }, .get("/sw") { _ in .text("sw").with(.hang(at: .beforeHead)) })
        let base = server.baseURL
        let transport = CurlTransport()
        let search = AnyNode<String, Data> { word in URLChain(transport: transport).route(.get, "\(base)/\(word)").data.stream() }
        let answers = Observable.from(["s", "sw", "swift"]).through(search, .latest).map { String(decoding: $0, as: UTF8.self) }
        #expect(answers.ended().elements == ["swift"])
        let all = Observable.from(["a", "b", "c"]).through(search, .concat).map { String(decoding: $0, as: UTF8.self) }
        #expect(all.ended().elements == ["a", "b", "c"])
    }
}

/// The operators with nothing of the network around them.
@Suite("The operators alone", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct OperatorTests {
    @Test func `Models, DTOs and raw data`() {
        let users = Observable.from([InventoryTests.User(name: "Bob")])
        let raw = users.mapInput().mapToRaw()
        #expect(raw.ended().elements == [["name": "Bob"]])
        #expect(
            raw.mapFromRaw(to: InventoryTests.UserDTO.self).mapOutput(to: InventoryTests.User.self).ended().elements.first?.name == "Bob")
    }

    @Test func `A request is built from lines of a file`() throws {
        let base: any URLRouteProvider = "http://localhost/log"
        let requests = Observable.from(["one", "two"]).map { JSON.object(["line": JSON($0)]) }
            .metadata(["X": "1"]).route(base).query(URLQuery(["v": 2])).encoding(.sortedJSON).httpRequest(.post)
            .headers(["X": "0", "Y": "3"])
        let first = requests.ended().elements.first
        #expect(first?.url.absoluteString == "http://localhost/log?v=2")
        #expect(first?.headers["X"] == "1")
        #expect(first?.headers["Y"] == "3")
        #expect(first?.body == .data(Data("{\"line\":\"one\"}".utf8)))
    }

    @Test func `Any responses are checked, parsed and decoded`() throws {
        let url = try "http://localhost/".url()
        func response(_ status: Int, _ body: String) -> Observable<HTTPResponse> {
            .just(HTTPResponse(head: HTTPResponse.Head(status: status, url: url), body: Data(body.utf8)))
        }
        #expect(response(200, "[1]").mapHTTPErrors().parseJSON().ended().elements == [[1]])
        #expect(response(200, "null").parseJSON().ended().elements == [.empty])
        #expect(response(200, "[1]").decodeResponse(as: [Int].self).ended().elements == [[1]])
        #expect(response(418, "").mapHTTPErrors().ended().error as? HTTPError != nil)
        #expect(response(200, "x").bodies().ended().elements == [Data("x".utf8)])
    }

    @Test func `Requests are sent from a stream`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let requests = Observable.from((0..<20).map { HTTPRequest(.get, server.url("/\($0)")) })
        #expect(requests.send(on: CurlTransport(), max: 4).ended().elements.count == 20)
        #expect(server.connectionCount <= 4)
    }

    @Test func `Errors of any transport become technical errors, all others are forwarded`() {
        let lost = Observable<Int>.error(TransportError.connectionLost(url: "http://h/", reason: "reset"))
        #expect(
            lost.mapTechnicalErrors().ended().error as? TechnicalError == .connectionLost("The connection to http://h/ was lost: reset."))
        #expect(Observable<Int>.error(CancellationError()).mapTechnicalErrors().ended().error is CancellationError)
    }
}
