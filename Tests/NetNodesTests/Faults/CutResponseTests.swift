import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// A server may close a connection after any byte. Every reader of the response reports that, in time, and in the same way.
@Suite("Truncated responses", .onOneThread, .countsResources, .blocksThread)
struct CutResponseTests {
    /// The bytes that a server sends before it closes.
    struct Response: CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        /// From so many bytes on it is an answer.
        let sufficient: Int

        var testDescription: String { name }

        init(_ name: String, _ text: String, body: [UInt8] = [], sufficient: Int? = nil) {
            self.name = name
            bytes = text.utf8 + body
            self.sufficient = sufficient ?? bytes.count
        }
    }

    /// The request for it: the outcome with its elements described.
    struct Reader: CustomTestStringConvertible {
        let name: String
        let read: @Sendable (URLChain<Routed, Void>, URL) -> Observable<String>

        var testDescription: String { name }
    }

    private static let line = "{\"name\":\"Bob\"}\n"
    private static let compressed: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 202, 75, 204, 77, 85, 178, 82, 114, 202, 79, 82, 170, 229, 2, 0, 63, 228, 101, 161, 15, 0,
        0, 0,
    ]
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    private static let redirect = "HTTP/1.1 302 Found\r\nLocation: /whole/1000\r\nContent-Length: 5\r\n\r\n"
    private static let chunked = "Transfer-Encoding: chunked\r\n\r\n6\r\n{\"name\r\n9;a=b\r\n\":\"Bob\"}\n\r\n0\r\n\r\n"

    private static let whole = Response("whole", "\(head)Content-Length: 15\r\n\r\n\(line)")
    static let responses = [
        whole,
        // The last line feed tells nothing more.
        Response("chunked", head + chunked, sufficient: (head + chunked).utf8.count - 1),
        Response("compressed", "\(head)Content-Encoding: gzip\r\nContent-Length: 35\r\n\r\n", body: compressed),
        Response("redirected", redirect + "moved", sufficient: redirect.utf8.count),
        Response(
            "late", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\(head)Content-Length: 15\r\n\r\n\(line)"),
    ]

    static let readers = [
        Reader(name: "response") { chain, _ in chain.response.stream().map { String(decoding: $0.body, as: UTF8.self) } },
        Reader(name: "data") { chain, _ in chain.data.stream().map { String(decoding: $0, as: UTF8.self) } },
        Reader(name: "output") { chain, _ in chain.output(Person.self).stream().map { "{\"name\":\"\($0.name)\"}\n" } },
        Reader(name: "lines") { chain, _ in chain.lines(Person.self).stream().map { "{\"name\":\"\($0.name)\"}\n" } },
        Reader(name: "transfer") { chain, _ in
            chain.transfer.stream().compactMap { event in if case .chunk(let data) = event { data } else { nil } }
                .reduce(Data()) { $0 + $1 }.map { String(decoding: $0, as: UTF8.self) }
        },
        Reader(name: "download") { chain, file in
            chain.download(to: file).stream().compactMap { download in
                guard case .finished(let file) = download else { return nil }
                return try String(contentsOf: file, encoding: .utf8)
            }
        },
    ]

    /// Sends as much of a response as the path says, and closes.
    private func server(_ responses: [Response]) throws -> ScriptedServer {
        let bytes = Dictionary(responses.map { ($0.name, $0.bytes) }) { first, _ in first }
        return try ScriptedServer { connection in
            guard let path = connection.readRequest()?.line.split(separator: " ")[1].split(separator: "/"), path.count == 2 else { return }
            connection.send(Array((bytes[String(path[0])] ?? []).prefix(Int(path[1]) ?? 0)))
        }
    }

    @Test(arguments: responses, readers)
    func `A complete response is read, a truncated one is a lost connection, for every output`(response: Response, reader: Reader) throws {
        let server = try server([response, Self.whole])
        let directory = TemporaryDirectory()
        let file = directory.url.appending(path: "file")
        let chain = URLChain(transport: CurlTransport()).timeout(.seconds(300))
        for count in 0...response.bytes.count {
            let result = reader.read(chain.route(.get, server.url("/\(response.name)/\(count)")), file).ended()
            try #require(!result.isLate, "\(count) bytes: \(response.bytes.prefix(count))")
            if count >= response.sufficient {
                #expect(result.error == nil, "\(count) bytes")
                #expect(result.elements == [Self.line], "\(count) bytes")
                try? FileManager.default.removeItem(at: file)
            } else {
                #expect((result.error as? TechnicalError)?.kind == "TechnicalError.connectionLost", "\(count) bytes, not \(result)")
                #expect(directory.names.isEmpty)
            }
        }
    }

    @Test(arguments: [false, true])
    func `An event stream truncated within the head fails, also when reconnecting`(reconnects: Bool) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        let server = try server([Response("events", head)])
        let chain = URLChain(transport: CurlTransport()).timeout(.seconds(300))
        for count in 0..<head.utf8.count {
            let result = chain.route(.get, server.url("/events/\(count)")).events(
                reconnection: reconnects ? ServerSentEventsNode.Reconnection() : nil
            ).stream()
                .ended()
            #expect((result.error as? TechnicalError)?.kind == "TechnicalError.connectionLost", "\(count) bytes, not \(result)")
        }
    }

    @Test(
        arguments: [
            [], [.sent], [.sent, .end(HTTPResponse.Metrics())], [.chunk(Data("{}".utf8)), .end(HTTPResponse.Metrics())],
            [.head(HTTPResponse.Head(status: 200, headers: ["Content-Type": "text/event-stream"], url: URL(filePath: "/")))],
        ] as [[TransferEvent]])
    func `A transfer of any transport that ends without a response fails in every reader`(events: [TransferEvent]) throws {
        let transport = StubTransport(transfer: { _ in .from(events) })
        let chain = URLChain(transport: transport).route(.get, "http://127.0.0.1/")
        let file = TemporaryDirectory()
        let readers =
            Self.readers.filter { $0.name != "transfer" } + [
                Reader(name: "void") { chain, _ in chain.void.stream().map { "" } },
                Reader(name: "events") { chain, _ in chain.events(reconnection: nil).stream().map(\.data) },
            ]
        for reader in readers {
            let result = reader.read(chain, file.url.appending(path: "file")).ended()
            #expect(result.elements.isEmpty, "\(reader.name)")
            #expect(result.error as? TransportError == .noResponse, "\(reader.name): \(result)")
        }
        #expect(file.names.isEmpty)
    }
}
