import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

@Suite("Bodies that are made while they are sent", .countsResources, .stopsServers, .blocksThread)
struct BodyStreamTests {
    struct Failure: RedactedError, CustomStringConvertible {
        let description = "the disk is gone"
    }

    private struct SecretFailure: Error, LocalizedError {
        let errorDescription: String? = "SECRET"
    }

    private static let parts = (0..<100).map { Data("part \($0)\n".utf8) }
    private static let whole = Data(parts.joined())

    /// A server that waits: a sequence is iterated by a task, and the tasks of all tests share few threads.
    private static func patient(_ routes: LoopbackServer.Route...) throws -> LoopbackServer {
        var limits = LoopbackServer.Limits()
        limits.requestTime = .seconds(600)
        limits.idleTime = .seconds(600)
        return try running(routes, limits: limits)
    }

    /// Answers with the length of the body, and how it was announced.
    private static func server() throws -> LoopbackServer {
        try patient(
            .any("/a") { request in
                let announced = request.headers["Content-Length"] ?? request.headers["Transfer-Encoding"] ?? ""
                return .text("\(request.method) \(request.body == whole) \(announced)")
            })
    }

    private static func request(_ server: LoopbackServer, _ stream: HTTPRequest.BodyStream, _ method: HTTPRequest.Method = .put) throws
        -> HTTPRequest
    {
        HTTPRequest(method, try server.baseURL + "a", body: .stream(stream))
    }

    @Test(arguments: [HTTPRequest.Method.put, .post, .patch, .delete])
    func `A stream arrives whole, in chunks or with its length`(method: HTTPRequest.Method) throws {
        let server = try Self.server()
        let transport = CurlTransport()
        for (length, announced) in [(nil, "chunked"), (Int64(Self.whole.count), "\(Self.whole.count)")] {
            let result = collect(try Self.request(server, HTTPRequest.BodyStream(.from(Self.parts), length: length), method), on: transport)
            #expect(result.text == "\(method) true \(announced)")
            #expect(result.events.contains { if case .progress(let progress) = $0 { progress.total == length } else { false } })
        }
        let nothing = collect(try Self.request(server, HTTPRequest.BodyStream(.empty(), length: 0), method), on: transport)
        #expect(nothing.text == "\(method) false 0")
    }

    @Test func `A sequence arrives whole, and its elements are asked for when there is room`() throws {
        let (elements, continuation) = AsyncStream<Data>.makeStream()
        let server = try Self.server()
        let ended = Slot<String>()
        let response = CurlTransport().response(to: try Self.request(server, HTTPRequest.BodyStream(elements)))
        let subscription = response.subscribe(onNext: { ended.fill(String(decoding: $0.body, as: UTF8.self)) })
        for part in Self.parts { continuation.yield(part) }
        continuation.finish()
        #expect(ended.wait() == "PUT true chunked")
        subscription.dispose()
    }

    @Test func `In a chain it is an input`() throws {
        let chain = URLChain(transport: CurlTransport()).route(.put, try Self.server().baseURL + "a").input(HTTPRequest.BodyStream.self)
            .data
        let responses = chain.stream(HTTPRequest.BodyStream(.from(Self.parts))).ended().elements
        #expect(responses.map { String(decoding: $0, as: UTF8.self) } == ["PUT true chunked"])
    }

    @Test func `A server that does not read suspends the source, which goes on when it reads`() throws {
        let (size, count) = (65_536, 2_000)
        let mayRead = Slot<Bool>()
        let server = try ScriptedServer { connection in
            guard let head = connection.readHead() else { return }
            _ = mayRead.wait()
            let length = connection.countBody(after: head) ?? -1
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \("\(length)".utf8.count)\r\n\r\n\(length)")
        }
        let made = Counter()
        let source = Observable.range(start: 0, count: count).map { _ in
            made.increment()
            return Data(count: size)
        }
        let body = HTTPRequest.BodyStream(source, length: Int64(size * count))
        let ended = Slot<String>()
        let response = CurlTransport().response(to: HTTPRequest(.put, server.url(), body: .stream(body)))
        let subscription = response.subscribe(onNext: { ended.fill(String(decoding: $0.body, as: UTF8.self)) })
        #expect(settled { made.value } < count / 2)
        mayRead.fill(true)
        #expect(ended.wait() == "\(size * count)")
        #expect(made.value == count)
        subscription.dispose()
    }

    @Test func `A source that fails, or makes another number of bytes than was announced, fails the request`() throws {
        let server = try Self.server()
        let cases: [(HTTPRequest.BodyStream, String)] = [
            (HTTPRequest.BodyStream(Observable<Data>.from(Self.parts).concat(Observable<Data>.error(Failure()))), "the disk is gone"),
            (HTTPRequest.BodyStream(.error(SecretFailure())), "SecretFailure"),
            (HTTPRequest.BodyStream(.from(Self.parts), length: 2_000), "it ended after \(Self.whole.count) of 2000 bytes"),
            (HTTPRequest.BodyStream(.from(Self.parts), length: 500), "it has more bytes than were announced"),
        ]
        for (stream, reason) in cases {
            let request = try Self.request(server, stream)
            let error = collect(request, on: CurlTransport()).error
            #expect(error == .bodyFailed(url: request.url.absoluteString, reason: reason))
            #expect(error.map { RetryPolicy.isTransient($0) } == false)
        }
    }

    @Test func `A retry sends the elements of a stream again, and no sequence`() throws {
        let policy = RetryPolicy.transient(initial: .zero)
        for (stream, count) in [
            (HTTPRequest.BodyStream(.from(Self.parts)), 2), (HTTPRequest.BodyStream(AsyncStream<Data> { $0.finish() }), 1),
        ] {
            let server = try Self.patient(.script("PUT", "/a", LoopbackServer.Script([.empty(503), .empty(200)])))
            let chain = URLChain(transport: CurlTransport()).retry(policy).route(.put, try server.baseURL + "a").input(
                HTTPRequest.BodyStream.self)
            let end = chain.void.stream(stream).ended()
            #expect((end.error == nil) == (count == 2))
            #expect(server.recordedRequests.count == count)
            if count == 2 { #expect(server.recordedRequests.allSatisfy { $0.body == Self.whole }) }
        }
    }

    @Test func `A redirect takes a stream along, and fails for a sequence`() throws {
        let server = try Self.patient(
            .put("/a") { _ in LoopbackServer.Response.empty(307).header("Location", "/b") },
            .put("/b") { .text("\($0.body == Self.whole)") })
        #expect(collect(try Self.request(server, HTTPRequest.BodyStream(.from(Self.parts))), on: CurlTransport()).text == "true")
        let once = HTTPRequest.BodyStream(AsyncStream<Data> { $0.finish() })
        let error = collect(try Self.request(server, once), on: CurlTransport()).error
        #expect(error == .bodyFailed(url: "\(server.baseURL)/b", reason: "it can be sent only once"))
    }

    @Test func `A server that refuses the request is heard before the body ends`() throws {
        let server = try ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 413 X\r\nContent-Length: 2\r\n\r\nno")
            _ = connection.waitForClose()
        }
        let subject = PublishSubject<Data>()
        let result = collect(
            HTTPRequest(.put, server.url(), body: .stream(HTTPRequest.BodyStream(subject.asObservable()))), on: CurlTransport())
        #expect(result.head?.status == 413)
        #expect(result.text == "no")
        #expect(result.error == nil)
    }

    @Test func `Waiting for the source is not idle time, and disposing the request disposes the source`() throws {
        let server = try Self.server()
        let isReceived = try succeedsAtSomePace { limit in
            let slow = Observable<Data>.from(Array(Self.parts.prefix(50))).concat(
                Observable<Data>.deferred {
                    _ = Slot<Bool>().wait(3 * (limit / .seconds(1)))
                    return .from(Array(Self.parts.dropFirst(50)))
                })
            var request = try Self.request(server, HTTPRequest.BodyStream(slow))
            request.timeouts.idle = limit
            return collect(request, on: CurlTransport()).text == "PUT true chunked"
        }
        #expect(isReceived)
        let (begun, disposed) = (Slot<Bool>(), Slot<Bool>())
        let endless = Observable<Data>.create { _ in
            begun.fill(true)
            return Disposables.create { disposed.fill(true) }
        }
        let subscription = CurlTransport().response(to: try Self.request(server, HTTPRequest.BodyStream(endless))).subscribe { _ in }
        #expect(begun.wait() == true)
        subscription.dispose()
        #expect(disposed.wait() == true)
    }

    @Test(.enabled(if: SecureNginx.isAvailable, "nginx, openssl or python3 is missing"))
    func `Over HTTP/2 a source that pauses is continued`() throws {
        let echo = try Self.server()
        let directory = TemporaryDirectory()
        try SecureServer.makeCertificate(in: directory.url)
        let nginx = try Nginx(
            in: directory.url, listening: "ssl http2",
            server: """
                ssl_certificate cert.pem; ssl_certificate_key key.pem;
                location / { proxy_pass \(echo.baseURL); proxy_request_buffering off; proxy_http_version 1.1; }
                """)
        defer { nginx.stop() }
        let subject = ReplaySubject<Data>(bufferSize: 200)
        for part in Self.parts.prefix(50) { subject.onNext(part) }
        let request = HTTPRequest(
            .put, try "https://127.0.0.1:\(nginx.port)/a".url(), body: .stream(HTTPRequest.BodyStream(subject.asObservable())))
        let (ended, sent) = (Slot<Collected>(), Slot<Bool>())
        let transport = CurlTransport(trusting: directory.url.appending(path: "cert.pem").path)
        let events = Lock(Collected())
        let subscription = transport.transfer(request).subscribe(
            onNext: { event in
                events.withLock { $0.events.append(event) }
                if case .progress = event { sent.fill(true) }
            }, onError: { _ in ended.fill(Collected()) }, onCompleted: { ended.fill(events.withLock { $0 }) })
        #expect(sent.wait() == true)
        for part in Self.parts.dropFirst(50) { subject.onNext(part) }
        subject.onCompleted()
        let result = ended.wait()
        #expect(result?.text == "PUT true chunked")
        #expect(result?.metrics?.protocolName == "HTTP/2")
        subscription.dispose()
    }
}
