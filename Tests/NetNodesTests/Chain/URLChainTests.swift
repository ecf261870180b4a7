import Foundation
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("URLChain", .onOneThread, .countsResources, .blocksThread)
struct URLChainTests {
    struct User: Codable, Sendable, Equatable {
        var name: String
        var age: Int?
    }

    let transport = CurlTransport()
    let base: URLChain<Unrouted, Void>

    init() {
        base = URLChain(transport: transport)
    }

    private func server(_ body: String, status: Int = 200) throws -> ScriptedServer {
        try .answering("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Answers with what it was asked.
    private func echo() throws -> ScriptedServer {
        try ScriptedServer.answering { connection, request in
            let said: JSON = [
                "line": JSON(request.line), "body": JSON(request.body), "type": JSON(request.headers["content-type"] ?? ""),
                "x": JSON(request.headers["x"] ?? ""),
            ]
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(said.data().count)\r\n\r\n\(said.text())")
        }
    }

    @Test func `A response is decoded directly into models`() throws {
        let server = try server("[{\"name\": \"Bob\", \"age\": 3}, {\"name\": \"Eve\"}]")
        let users = base.route(.get, server.url()).output([User].self)
        let result = users.stream().ended()
        #expect(result.elements == [[User(name: "Bob", age: 3), User(name: "Eve")]])
        #expect(result.error == nil)
    }

    @Test func `A route of a custom type is asked for its URL before each request`() throws {
        final class Pages: URLRouteProvider {
            let base: URL
            private let asked = Lock(0)

            init(_ base: URL) { self.base = base }

            func url() -> URL {
                let page = asked.withLock { count in
                    count += 1
                    return count
                }
                return base.appending(path: "\(page)")
            }
        }
        let server = try echo()
        let chain = base.route(.get, Pages(server.url())).query(["q": 1]).output(JSON.self)
        let lines = [chain.stream(), chain.stream()].flatMap { $0.ended().elements }.map { $0["line"] }
        #expect(lines == ["GET /1?q=1 HTTP/1.1", "GET /2?q=1 HTTP/1.1"])
    }

    @Test func `A response is parsed into a JSON value`() throws {
        let server = try server("{\"b\": [1, 2]}")
        #expect(base.route(.get, server.url()).output(JSON.self).stream().ended().elements == [["b": [1, 2]]])
    }

    @Test func `A chain maps models through their DTOs`() throws {
        let server = try echo()
        struct Line: Codable, Sendable { var body: String }
        struct Text: DTODecodable, Equatable {
            var text: String
            static func from(dto: Line) -> Text { Text(text: dto.body) }
        }
        struct Question: DTOEncodable {
            var name: String
            func toDTO() -> User { User(name: name) }
        }
        let chain = base.route(.post, server.url()).input(Question.self).output(Text.self)
        #expect(chain.stream(Question(name: "Bob")).ended().elements == [Text(text: "{\"name\":\"Bob\"}")])
    }

    @Test func `Method, path, query, headers and body are sent as configured`() throws {
        let server = try echo()
        let chain = base.route(.post, server.url("/a?k=1")).query(["b": 2, "a": true]).headers(["X": "y"]).input(User.self).output(
            JSON.self)
        let said = chain.stream(User(name: "Bob")).ended().elements.first
        #expect(said?["line"] == "POST /a?k=1&a=1&b=2 HTTP/1.1")
        #expect(said?["body"] == "{\"name\":\"Bob\"}")
        #expect(said?["type"] == "application/json")
        #expect(said?["x"] == "y")
    }

    @Test func `A query takes variables of any encodable type, and leaves out nil`() throws {
        let server = try echo()
        let (text, page, tags, missing) = ("a b", 2, ["x", "y"], String?.none)
        let chain = base.route(.get, server.url()).query(["q": text, "page": page, "isNew": true, "tags": tags, "none": missing])
        let line = chain.output(JSON.self).stream().ended().elements.first?["line"]
        #expect(line == "GET /?isNew=1&page=2&q=a%20b&tags%5B%5D=x&tags%5B%5D=y HTTP/1.1")
    }

    @Test func `A value of a query that cannot be encoded is an error of the stream`() throws {
        let server = try echo()
        let ratio = Double.nan
        let ended = base.route(.get, server.url()).query(["ratio": ratio]).output(JSON.self).stream().ended()
        #expect(ended.error is EncodingError)
    }

    @Test func `An input goes into the query of a GET and into the body of a form`() throws {
        let server = try echo()
        let get = base.route(.get, server.url()).input(User.self).output(JSON.self)
        #expect(get.stream(User(name: "a b")).ended().elements.first?["line"] == "GET /?name=a%20b HTTP/1.1")
        let form = base.route(.post, server.url()).input(JSON.self).encoding(.formURL).output(JSON.self)
        #expect(form.stream(["x": "&"]).ended().elements.first?["body"] == "x=%26")
        #expect(form.stream([1]).ended().error as? HTTPRequest.EncodingFailure == .notAnObject(.formURL))
    }

    @Test func `Providers are called for each request and the later wins`() throws {
        struct Counting: HeaderProvider {
            let counter: Counter
            func headers() -> HTTPHeaders {
                counter.increment()
                return ["X": "\(counter.value)"]
            }
        }
        let server = try echo()
        let chain = base.route(.get, server.url()).headers(["X": "0"]).headers(Counting(counter: Counter())).output(JSON.self)
        #expect(chain.stream().ended().elements.first?["x"] == "1")
        #expect(chain.stream().ended().elements.first?["x"] == "2")
    }

    @Test func `A chain is a value`() throws {
        let server = try echo()
        let routed = base.route(.get, server.url("/a"))
        _ = routed.query(["x": 1])
        #expect(routed.output(JSON.self).stream().ended().elements.first?["line"] == "GET /a HTTP/1.1")
    }

    @Test func `A server's own error is decoded from the body`() throws {
        struct OutOfStock: Error, Decodable, Equatable { var product: String }
        let server = try server("{\"product\": \"tea\"}", status: 409)
        let stream = base.route(.get, server.url()).void.stream().customError(as: OutOfStock.self)
        #expect(stream.ended().error as? OutOfStock == OutOfStock(product: "tea"))
    }

    @Test func `The response is delivered unchanged on request`() throws {
        let server = try server("gone", status: 410)
        let response = base.route(.get, server.url()).response.stream().ended().elements.first
        #expect(response?.status == 410)
        #expect(response?.metrics?.firstByte != nil)
    }

    @Test func `The description names the steps from the outermost to the innermost`() {
        let chain = base.route(.get, "http://h").query(["a": 1]).retry().deliverOnMain()
        #expect(
            chain.description == """
                observe > completing > retry > mapTechnicalErrors > mapHTTPErrors > \
                send
                """)
    }

    private struct Tea: Codable, Sendable { var name: String }

    private struct Leaf: DTOConvertible {
        func toDTO() -> Tea { Tea(name: "green") }
        static func from(dto: Tea) -> Leaf { Leaf() }
    }

    @Test func `A built chain names what makes its output, and its exchange`() {
        let chain = base.route(.post, "http://h")
        let outer = "completing > mapTechnicalErrors > "
        let exchange = outer + "mapHTTPErrors > send"
        #expect(chain.output(Tea.self).description == "decodeResponse > \(exchange)")
        #expect(chain.output(Leaf.self).description == "mapOutput > decodeResponse > \(exchange)")
        #expect(chain.output(JSON.self).description == "parseJSON > \(exchange)")
        #expect(chain.data.description == "bodies > \(exchange)")
        #expect(chain.void.description == "voidOutput > \(exchange)")
        #expect(chain.response.description == exchange)
        #expect(chain.lines(Tea.self).description == "jsonLines > \(outer)send")
        #expect(chain.events().description == "serverSentEvents > \(outer)send")
        let tokens = TokenRefresherNode(chain: AnyNode<Void, Int> { .just(1) }) { _ in }
        let cached = chain.trackActivity(LoadIndicator()).cached(in: MemoryResponseCache(), .first).refreshingAccess(with: tokens).data
        #expect(
            cached.description == """
                trackActivity > precededByCached > bodies > refreshing > completing > \
                mapTechnicalErrors > mapHTTPErrors > storing > conditional > \
                replacingNotModified > send
                """)
    }
}
