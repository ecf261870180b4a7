import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// A stream has to have as many bytes as are announced, or the request fails.
@Suite("Lengths of streamed bodies", .countsResources, .stopsServers, .blocksThread)
struct BodyLengthTests {
    /// A stream with these elements and this length, and the reason for which it cannot be sent.
    struct Row: CustomTestStringConvertible, Sendable {
        let elements: [String]
        let length: Int64?
        let reason: String?

        var testDescription: String { "\(elements), length \(length.map { "\($0)" } ?? "unknown")" }
    }

    private static let tooLong = "it has more bytes than were announced"
    private static let rows: [Row] = [
        Row(elements: [], length: 0, reason: nil),
        Row(elements: [""], length: 0, reason: nil),
        Row(elements: ["a"], length: 0, reason: tooLong),
        Row(elements: ["", "a"], length: 0, reason: tooLong),
        Row(elements: [], length: 1, reason: "it ended after 0 of 1 bytes"),
        Row(elements: ["a"], length: 1, reason: nil),
        Row(elements: ["a"], length: 2, reason: "it ended after 1 of 2 bytes"),
        Row(elements: ["a", "b"], length: 1, reason: tooLong),
        Row(elements: ["ab"], length: 1, reason: tooLong),
        Row(elements: ["a"], length: 100_000, reason: "it ended after 1 of 100000 bytes"),
        Row(elements: [], length: -1, reason: "its length is -1"),
        Row(elements: ["a"], length: -1, reason: "its length is -1"),
        Row(elements: ["a"], length: .min, reason: "its length is \(Int64.min)"),
        Row(elements: [], length: nil, reason: nil),
        Row(elements: ["a", "b"], length: nil, reason: nil),
    ]

    /// A server that waits: a sequence is iterated by a task, and the tasks of all tests share few threads.
    private static func server(_ respond: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Response) throws -> LoopbackServer
    {
        var limits = LoopbackServer.Limits()
        limits.requestTime = .seconds(600)
        limits.idleTime = .seconds(600)
        return try running([.any("/") { respond($0) }], limits: limits)
    }

    private static func streams(_ row: Row) -> [HTTPRequest.BodyStream] {
        let elements = row.elements.map { Data($0.utf8) }
        let sequence = AsyncStream<Data> { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
        return [HTTPRequest.BodyStream(.from(elements), length: row.length), HTTPRequest.BodyStream(sequence, length: row.length)]
    }

    @Test(arguments: rows, [HTTPRequest.Method.put, .post, .get])
    func `Over HTTP/1.1 a wrong length is an error, and a right one is sent`(row: Row, method: HTTPRequest.Method) throws {
        let server = try Self.server { request in .text("\(request.text) \(request.headers["Content-Length"] ?? "in chunks")") }
        for stream in Self.streams(row) {
            let result = collect(HTTPRequest(method, server.baseURL, body: .stream(stream)), on: CurlTransport())
            #expect(result.error == row.reason.map { .bodyFailed(url: redacted(server.baseURL), reason: $0) })
            guard row.reason == nil else { continue }
            #expect(result.text == "\(row.elements.joined()) \(row.length.map { "\($0)" } ?? "in chunks")")
        }
        #expect(server.recordedRequests.count == (row.reason == nil ? 2 : 0))
    }

    @Test(.enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"))
    func `Over HTTP/2 too`() throws {
        let server = try HTTP2Server("def answer(stream, head): stream.respond(body=b'ok')")
        let transport = CurlTransport(trusting: server.certificate.path)
        for row in Self.rows {
            for stream in Self.streams(row) {
                let result = collect(HTTPRequest(.put, server.url, body: .stream(stream)), on: transport)
                #expect(result.error == row.reason.map { .bodyFailed(url: redacted(server.url), reason: $0) }, "\(row)")
                #expect(result.text == (row.reason == nil ? "ok" : ""), "\(row)")
            }
        }
    }

    @Test func `A stream that fails in place of ending fails the request, also where nothing is announced`() throws {
        let server = try Self.server { _ in .text("") }
        let failing = HTTPRequest.BodyStream(Observable<Data>.error(BodyStreamTests.Failure()), length: 0)
        let error = collect(HTTPRequest(.put, server.baseURL, body: .stream(failing)), on: CurlTransport()).error
        #expect(error == .bodyFailed(url: redacted(server.baseURL), reason: "the disk is gone"))
        #expect(server.recordedRequests.isEmpty)
    }

    @Test func `A request waits for the end of a stream that has to be empty, until its timeout or the end of its transport`() async throws
    {
        let server = try Self.server { _ in .text("ok") }
        var request = HTTPRequest(.put, server.baseURL, body: .stream(HTTPRequest.BodyStream(.never(), length: 0)))
        request.timeouts.total = .milliseconds(20)
        #expect(collect(request, on: CurlTransport()).error == .timedOut(.total, after: .milliseconds(20), url: redacted(server.baseURL)))

        let (begun, disposed) = (Slot<Bool>(), Slot<Bool>())
        let endless = Observable<Data>.create { _ in
            begun.fill(true)
            return Disposables.create { disposed.fill(true) }
        }
        request = HTTPRequest(.put, server.baseURL, body: .stream(HTTPRequest.BodyStream(endless, length: 0)))
        let transport = CurlTransport()
        let subscription = transport.transfer(request).subscribe { _ in }
        #expect(begun.wait() == true)
        subscription.dispose()
        #expect(disposed.wait() == true)

        let ended = Slot<TransportError>()
        let other = transport.transfer(request).subscribe(onError: { ended.fill($0 as? TransportError ?? .noResponse) })
        await transport.shutDown(within: .zero)
        #expect(ended.wait()?.kind == "TransportError.connectionLost")
        other.dispose()
        #expect(server.recordedRequests.isEmpty)
    }

    @Test func `A stream that has to be empty may end later`() throws {
        let server = try Self.server { _ in .text("ok") }
        let subject = PublishSubject<Data>()
        let begun = Slot<Bool>()
        let body = subject.asObservable().do(onSubscribed: { begun.fill(true) })
        let request = HTTPRequest(.put, server.baseURL, body: .stream(HTTPRequest.BodyStream(body, length: 0)))
        let ended = Slot<Data>()
        let subscription = CurlTransport().response(to: request).subscribe(onNext: { ended.fill($0.body) })
        #expect(begun.wait() == true)
        #expect(server.recordedRequests.isEmpty)
        subject.onCompleted()
        #expect(ended.wait() == Data("ok".utf8))
        subscription.dispose()
    }
}
