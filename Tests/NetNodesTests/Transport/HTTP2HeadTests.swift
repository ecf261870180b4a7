import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// A head of HTTP/2 of any length ends in a response or in an error, in each form of a request.
///
/// A libcurl before 8.0 may not notice the end of a response whose head is longer than its buffer.
@Suite(
    "Heads of HTTP/2", .enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), .countsResources, .stopsServers,
    .blocksThread)
struct HTTP2HeadTests {
    /// What the server sends for a request, as calls of `HTTP2Server` in Python.
    private struct Answer {
        let name: String
        let script: String
        let body: String

        init(_ name: String, _ script: String, body: String = "12") {
            (self.name, self.script, self.body) = (name, script, body)
        }
    }

    /// The code of fields with this many kilobytes, as libcurl counts them.
    private static func fields(_ kilobytes: Int) -> String { "fields(\(kilobytes), 1024 - 9)" }

    private static let lengths = [1, 16, 31, 32, 33, 48, 64, 65, 80, 100, 120, 127].flatMap { kilobytes in
        [
            Answer("a head of \(kilobytes) KB", "stream.respond(\(fields(kilobytes)), b'12')"),
            Answer("a head of \(kilobytes) KB without a body", "stream.head(\(fields(kilobytes)), flags=1)", body: ""),
            Answer("a head of \(kilobytes) KB and an empty body", "stream.respond(\(fields(kilobytes)))", body: ""),
        ]
    }

    private static let others = [20, 50, 110].flatMap { kilobytes in
        [
            Answer(
                "a head of \(kilobytes) KB and a body of 100 KB",
                "stream.head(\(fields(kilobytes))), [stream.send(0, 0, b' ' * 10240) for _ in range(10)], stream.send(0, 1, b'12')",
                body: String(repeating: " ", count: 102_400) + "12"),
            Answer(
                "trailers of \(kilobytes) KB", "stream.head(), stream.send(0, 0, b'12'), stream.fields(\(fields(kilobytes)), flags=1)"),
            Answer(
                "a head and trailers of \(kilobytes) KB",
                "stream.head(\(fields(kilobytes))), stream.send(0, 0, b'12'), stream.fields(\(fields(kilobytes)), flags=1)"),
            Answer(
                "an interim head of \(kilobytes) KB", "stream.head(\(fields(kilobytes)), status=103), stream.head(flags=1)", body: ""),
            Answer(
                "ten interim heads of \(kilobytes) KB altogether",
                "[stream.head(\(fields(kilobytes / 10)), status=103) for _ in range(10)], stream.respond(body=b'12')"),
            Answer(
                "a head of \(kilobytes) KB after interim ones",
                "[stream.head(status=103) for _ in range(10)], stream.head(\(fields(kilobytes)), flags=1)", body: ""),
        ]
    }

    private static let kinds = [
        Answer("three thousand short fields", "stream.head(fields(3000, 10), flags=1)", body: ""),
        Answer("one field of 60 KB", "stream.head(fields(1, 60 * 1024), flags=1)", body: ""),
    ]

    /// The ways to ask for a response; each emits the body, if it has one.
    private static let forms: [(name: String, ask: @Sendable (URLChain<Routed, Void>) -> Observable<String>)] = [
        ("response", { $0.response.stream().map { String(decoding: $0.body, as: UTF8.self) } }),
        ("data", { $0.data.stream().map { String(decoding: $0, as: UTF8.self) } }),
        ("output", { $0.output(Int?.self).stream().map { $0.map { "\($0)" } ?? "" } }),
        ("void", { $0.void.stream().map { "" } }),
        (
            "transfer",
            { chain in
                chain.transfer.stream().reduce(Data()) { if case .chunk(let data) = $1 { $0 + data } else { $0 } }.map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        ),
    ]

    private func server(_ answers: [Answer], each count: Int) throws -> HTTP2Server {
        let answers = answers.map { "    lambda stream: (\($0.script))," }
        return try HTTP2Server(
            """
            def fields(count, size):
                return b"".join(field(b"x-%03d" % i, b"v" * size) for i in range(count))
            answers = [
            \(answers.joined(separator: "\n"))
            ]
            def answer(stream, head):
                number, turn = divmod(len(heads) - 1, \(count))
                if turn % 2: stream.hold()
                answers[number](stream)
            """)
    }

    private func chain(_ server: HTTP2Server) -> URLChain<Routed, Void> {
        URLChain(transport: CurlTransport(trusting: server.certificate.path)).timeout(.seconds(300)).route(.get, server.url)
    }

    /// Each answer is given frame by frame, and all at once, to a stream and to a task.
    @Test func `A head up to libcurl's limit is read, whatever follows`() async throws {
        let answers = Self.lengths + Self.others + Self.kinds
        let server = try server(answers, each: 4 * Self.forms.count)
        let chain = chain(server)
        for answer in answers {
            for (name, ask) in Self.forms {
                let expected = name == "void" ? "" : name == "output" ? answer.body.trimmingCharacters(in: .whitespaces) : answer.body
                for _ in 0..<2 {
                    let ended = ask(chain).ended()
                    try #require(ended.error == nil, "\(answer.name), \(name)")
                    #expect(ended.elements == [expected], "\(answer.name), \(name)")
                }
                for _ in 0..<2 { #expect(try await ask(chain).lastElement() == expected, "\(answer.name), \(name), awaited") }
            }
        }
    }

    @Test func `The fields of a long head are complete`() throws {
        let server = try server([Answer("", "stream.head(\(Self.fields(100)), flags=1)")], each: 2)
        let chain = chain(server)
        for _ in 0..<2 {
            let response = try #require(chain.response.stream().ended().elements.first)
            #expect(response.metrics?.protocolName == "HTTP/2")
            #expect(response.headers.map(\.value.utf8.count) == Array(repeating: 1024 - 9, count: 100))
        }
    }

    @Test func `Long heads of requests that run at once are read`() throws {
        let server = try server([Answer("", "stream.head(\(Self.fields(100)), flags=1)")], each: 100)
        let response = chain(server).response
        let responses = Observable.merge((0..<100).map { _ in response.stream() }).ended()
        #expect(responses.error == nil)
        #expect(responses.elements.count { $0.headers.count == 100 } == 100)
    }

    @Test(arguments: [
        "stream.respond(fields(129, 1015), b'12')", "stream.respond(fields(200, 1015), b'12')",
        "stream.respond(fields(1000, 1015), b'12')", "stream.respond(fields(20_000, 10), b'12')",
        "stream.head(), stream.send(0, 0, b'12'), stream.fields(fields(300, 1015), flags=1)",
        "stream.head(fields(300, 1015), status=103), stream.respond(b'', b'12')",
    ])
    func `A head beyond the limit is malformed at once, on a new connection too`(script: String) throws {
        let server = try server([Answer("", script)], each: 1000)
        let chain = chain(server).retry()
        for (name, ask) in Self.forms {
            let error = try #require(ask(chain).ended().error as? TransportError, "\(name)")
            guard case .malformedResponse(_, "a header is too long") = error else {
                Issue.record("\(name): \(error)")
                continue
            }
            #expect(!RetryPolicy.isTransient(error))
        }
    }

    /// nghttp2 ends the connection, and libcurl does not say why.
    @Test func `A single field of more than 64 KB is a lost connection`() throws {
        let server = try server([Answer("", "stream.head(fields(1, 70 * 1024), flags=1)")], each: 1000)
        for (name, ask) in Self.forms { #expect(ask(chain(server)).ended().error is TechnicalError, "\(name)") }
    }
}
