import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// libcurl sends a request again if a connection that it reuses ends before a byte of the response.
@Suite("Requests on a connection that ends", .countsResources, .stopsServers, .blocksThread)
struct ResendTests {
    /// How the server ends the connection, after it has received a request on it.
    enum Ending: String, CaseIterable {
        case close, reset, end
        /// After some kilobytes of the body, which libcurl may find out while it sends the rest: it does not send again then.
        case early

        func act(on connection: Connection) {
            switch self {
            case .close, .early: connection.close()
            case .reset: connection.reset()
            case .end:
                connection.sendEnd()
                while connection.readAvailable() != nil {}
            }
        }
    }

    enum Content: String, CaseIterable {
        case none, small, large, file

        func body(in directory: TemporaryDirectory) throws -> HTTPRequest.Body {
            let large = Data(repeating: 7, count: 2_000_000)
            return switch self {
            case .none: .none
            case .small: .data(Data("x".utf8))
            case .large: .data(large)
            case .file: .pieces([.data(Data("x".utf8)), .file(try directory.file("large", large))])
            }
        }
    }

    private final class Lengths: Sendable {
        private let all = Lock<[Int]>([])

        var last: Int? { all.withLock { $0.last } }

        func add(_ length: Int) { all.withLock { $0.append(length) } }
    }

    /// Answers `/first` on each connection, and ends it at the first `/second`; the next one is answered.
    private final class Server: Sendable {
        let received = Counter()
        let lengths = Lengths()
        let scripted: ScriptedServer

        init(_ ending: Ending) throws {
            scripted = try ScriptedServer { [received, lengths] connection in
                while let request = connection.readHead() {
                    let isSecond = request.contains("/second")
                    if isSecond { received.increment() }
                    if isSecond, received.value == 1, ending == .early {
                        connection.readSome(1000)
                        return ending.act(on: connection)
                    }
                    guard let length = connection.countBody(after: request) else { return }
                    if isSecond { lengths.add(length) }
                    if isSecond, received.value == 1 { return ending.act(on: connection) }
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                }
            }
        }

        func url(_ path: String) -> URL { scripted.url(path) }
    }

    private let transport = CurlTransport()

    private func isCriticalLoss(_ error: (any Error)?) -> Bool {
        guard case .connectionLost(_, let reason)? = error as? TransportError else { return false }
        return reason.hasSuffix("; the server may have received the request")
    }

    @Test(arguments: [HTTPRequest.Method.post, .patch, HTTPRequest.Method(rawValue: "MOVE")], Ending.allCases)
    func `What is not idempotent is sent once, and its error says that it may have been received`(
        method: HTTPRequest.Method, ending: Ending
    ) throws {
        let directory = TemporaryDirectory()
        for content in Content.allCases where ending != .early || content == .large || content == .file {
            let server = try Server(ending)
            #expect(transport.response(to: HTTPRequest(.get, server.url("/first"))).ended().error == nil)
            let request = HTTPRequest(method, server.url("/second"), body: try content.body(in: directory))
            let result = collect(request, on: transport)
            #expect(isCriticalLoss(result.error), "\(content): \(result)")
            #expect(server.received.value == 1, "\(content)")
            #expect(server.scripted.connectionCount == 1, "\(content)")
            #expect(transport.response(to: request).ended().elements.first?.status == 200)
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .options, .delete, .put], [Ending.close, .reset, .end])
    func `What is idempotent is sent again, with its whole body`(method: HTTPRequest.Method, ending: Ending) throws {
        let directory = TemporaryDirectory()
        for content in method == .put ? Content.allCases : [.none] {
            let server = try Server(ending)
            #expect(transport.response(to: HTTPRequest(.get, server.url("/first"))).ended().error == nil)
            let body = try content.body(in: directory)
            let result = collect(HTTPRequest(method, server.url("/second"), body: body), on: transport)
            #expect(result.head?.status == 200, "\(content): \(result)")
            #expect(result.events.count { $0 == .sent } == 1)
            #expect(server.received.value == 2)
            #expect(server.lengths.last == [.none: 0, .small: 1, .large: 2_000_000, .file: 2_000_001][content])
        }
    }

    @Test func `A server that is gone afterwards does not make it look unsent`() throws {
        let received = Counter()
        let stopped = Slot<Bool>()
        var server: ScriptedServer? = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            _ = connection.readRequest()
            received.increment()
            _ = stopped.wait()
        }
        let url = try #require(server?.url())
        #expect(transport.response(to: HTTPRequest(.get, url)).ended().error == nil)
        let result = Slot<Ended<HTTPResponse>>()
        let lost = transport.response(to: HTTPRequest(.post, url)).materialize().subscribe { event in
            if case .next(.error(let error)) = event { result.fill(Ended(error: error)) }
        }
        defer { lost.dispose() }
        server = nil
        stopped.fill(true)
        #expect(isCriticalLoss(result.wait()?.error))
        #expect(received.value == 1)
    }

    @Test(.enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), arguments: [HTTPRequest.Method.post, .get])
    func `Over HTTP/2 as well`(method: HTTPRequest.Method) throws {
        let server = try HTTP2Server(
            """
            # The second request ends its connection.
            def answer(stream, head):
                if len(heads) == 2: stream.reset_connection()
                stream.respond(body=str(len(heads)).encode())
            """)
        let transport = CurlTransport(trusting: server.certificate.path)
        #expect(collect(HTTPRequest(.get, server.url), on: transport).text == "1")
        let result = collect(HTTPRequest(method, server.url, body: method == .post ? .data(Data("x".utf8)) : .none), on: transport)
        #expect(method == .get ? result.text == "3" : isCriticalLoss(result.error), "\(result)")
        #expect(collect(HTTPRequest(.get, server.url), on: transport).text == (method == .get ? "4" : "3"))
    }

    @Test(.enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"))
    func `What an HTTP/2 server rejects unprocessed on a new connection is sent again`() throws {
        let server = try HTTP2Server(
            """
            def answer(stream, head):
                if len(heads) == 1: return stream.reset(7)
                stream.respond(body=str(len(heads)).encode())
            """)
        let transport = CurlTransport(trusting: server.certificate.path)
        #expect(collect(HTTPRequest(.post, server.url, body: .data(Data("x".utf8))), on: transport).text == "2")
    }
}
