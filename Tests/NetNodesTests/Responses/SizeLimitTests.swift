import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Limits of size", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct SizeLimitTests {
    private static let megabyte = 1024 * 1024
    private static let long = 100 * megabyte

    private let chain = URLChain(transport: CurlTransport()).timeout(.seconds(300))
    private let server = LoopbackServer()

    init() throws {
        try server.start()
    }

    /// A chain to what the server answers.
    private func asking(
        _ answer: LoopbackServer.Response, method: HTTPRequest.Method = .get, _ chain: URLChain<Unrouted, Void>? = nil
    ) -> URLChain<Routed, Void> {
        server.add(.any("/a") { _ in answer })
        return (chain ?? self.chain).route(method, "\(server.baseURL)/a?key=SECRET")
    }

    private func raw(_ head: String, _ body: Data = Data()) -> LoopbackServer.Response {
        .raw(Data("HTTP/1.1 \(head)\r\n\r\n".utf8) + body)
    }

    /// So many zeros, in a 150th of the bytes.
    private func compressed(zeros count: Int) -> LoopbackServer.Response {
        let body = Zeros.compressed(count)
        return raw("200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(body.count)", body)
    }

    private func tooLarge(_ limit: Int) -> TransportError {
        .bodyTooLarge(limit: limit, url: "\(server.baseURL)/a?key=***")
    }

    @Test func `At most 64 MB are collected in memory, regardless of the compressed size`() {
        let chain = asking(compressed(zeros: Self.long))
        #expect(chain.data.stream().ended().error as? TransportError == tooLarge(64 * Self.megabyte))
        #expect(chain.response.stream().ended().error as? TransportError == tooLarge(64 * Self.megabyte))
        #expect(chain.output(JSON.self).stream().ended().error as? TransportError == tooLarge(64 * Self.megabyte))
        let own = chain.maximumBodySize(Self.long)
        #expect(own.data.stream().map(\.count).ended().elements == [Self.long])
    }

    @Test(arguments: [false, true]) func `A body may reach the limit exactly, and no byte more`(isChunked: Bool) {
        let answer = LoopbackServer.Response.generated(bytes: 1000)
        let chain = asking(isChunked ? answer.chunked() : answer)
        #expect(chain.maximumBodySize(1000).data.stream().ended().elements.first?.count == 1000)
        #expect(chain.maximumBodySize(999).data.stream().ended().error as? TransportError == tooLarge(999))
    }

    @Test func `Incrementally processed bodies have no limit, unless the chain has one`() throws {
        let chain = asking(compressed(zeros: Self.long))
        let count = chain.transfer.stream().reduce(0) { count, event in
            if case .chunk(let data) = event { count + data.count } else { count }
        }
        #expect(count.ended().elements == [Self.long])
        let limited = chain.maximumBodySize(1000)
        let directory = TemporaryDirectory()
        #expect(limited.download(to: directory.url.appending(path: "a")).stream().ended().error as? TransportError == tooLarge(1000))
        #expect(directory.names.isEmpty)
        #expect(limited.lines(JSON.self).stream().ended().error as? TransportError == tooLarge(1000))
        #expect(limited.transfer.stream().ended().error as? TransportError == tooLarge(1000))
    }

    @Test func `An announced length beyond the limit ends the transfer before the body, if there is one`() throws {
        let silent = try ScriptedServer.answering { connection, request in
            connection.send("HTTP/1.1 \(request.line.contains("/304") ? 304 : 200) X\r\nContent-Length: 268435456\r\n\r\n")
        }
        let error = chain.route(.get, silent.url()).data.stream().ended().error as? TransportError
        #expect(error == .bodyTooLarge(limit: 64 * Self.megabyte, url: silent.url().absoluteString))
        #expect(chain.route(.head, silent.url()).response.stream().ended().error == nil)
        #expect(chain.route(.get, silent.url("/304")).response.stream().ended().error == nil)
    }

    @Test(.startsChild) func `An announced length reserves no more than a megabyte`() async {
        await #expect(processExitsWith: .success) {
            let answer = LoopbackServer.Response.text("xx").with(.contentLength(60_000_000)).with(.hang(at: .inBody(after: 1)))
            let server = try running(.get("/long") { _ in answer }, .get("/short") { _ in .empty() })
            let transport = CurlTransport()
            let short = HTTPRequest(.get, try server.baseURL + "short")
            let long = HTTPRequest(.get, try server.baseURL + "long")
            #expect(transport.response(to: short).ended().error == nil)
            let before = virtualMemory()
            let arrived = Slot<Bool>()
            let arrivals = server.requests.filter { $0.path == "/long" }.take(32).subscribe(onCompleted: { arrived.fill(true) })
            let subscriptions = (0..<32).map { _ in transport.response(to: long).subscribe { _ in } }
            #expect(arrived.wait() == true)
            // Earlier bytes are processed when a later request is answered.
            #expect(transport.response(to: short).ended().error == nil)
            #expect(virtualMemory() - before < 1_000_000_000 || isSanitized)
            for subscription in subscriptions + [arrivals] { subscription.dispose() }
        }
    }

    @Test func `An unused body is discarded while it is received`() throws {
        let chain = asking(compressed(zeros: Self.long))
        #expect(chain.void.stream().ended().elements.count == 1)
        let response = try #require(chain.discardingBodies().response.stream().ended().elements.first)
        #expect(response.body.isEmpty)
        #expect(try #require(response.metrics).bytesReceived > 600_000)
        #expect(chain.maximumBodySize(1000).void.stream().ended().error as? TransportError == tooLarge(1000))
    }

    @Test func `64 KB of an unsuccessful response are kept for its error`() throws {
        let chain = asking(.text(String(repeating: "x", count: 200_000), status: 500))
        let error = try #require(chain.void.stream().ended().error as? HTTPError)
        #expect(error.failure.body == Data(repeating: UInt8(ascii: "x"), count: 64 * 1024))
        #expect((chain.data.stream().ended().error as? HTTPError)?.failure.body.count == 200_000)
    }

    @Test func `A step that uses responses receives their bodies, even if the output is void`() throws {
        let chain = asking(.text("hello"))
        let seen = Lock([String]())
        let note: @Sendable (HTTPResponse) -> Void = { response in
            seen.withLock { $0.append(String(decoding: response.body, as: UTF8.self)) }
        }
        let adapting = chain.adaptingResponses { response in
            note(response)
            return response
        }
        #expect(adapting.void.stream().ended().error == nil)
        let judging = chain.httpErrors { response in
            note(response)
            return nil
        }
        #expect(judging.void.stream().ended().error == nil)
        let cache = MemoryResponseCache()
        server.add(.any("/b") { _ in .text("hello").header("ETag", "\"1\"") })
        let cached = self.chain.route(.get, "\(server.baseURL)/b").cached(in: cache)
        #expect(cached.void.stream().ended().error == nil)
        #expect(cached.data.stream().ended().elements == [Data("hello".utf8)])
        #expect(chain.metrics { _ in }.discardingBodies().response.stream().ended().elements.first?.body == Data())
        #expect(seen.withLock { $0 } == ["hello", "hello"])
    }

    @Test func `The limits apply to the collected responses of a custom transport`() {
        let transport = StubTransport { .text(String(repeating: "x", count: 1001), to: $0) }
        var request = HTTPRequest(.get, server.baseURL)
        request.limits.maximumBodySize = 1000
        #expect(
            transport.response(to: request).ended().error as? TransportError
                == .bodyTooLarge(limit: 1000, url: server.baseURL.absoluteString))
        request.limits.maximumBodySize = nil
        request.discardsBody = true
        #expect(transport.response(to: request).ended().elements.first?.body == Data())
        #expect(transport.transfer(request).response(maximumBodySize: 7).ended().error is TransportError)
    }

    @Test(arguments: ["header", "one header", "interim response", "trailer"])
    func `A flood of headers is a malformed response, and not asked for again`(kind: String) throws {
        let server = try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n".prefix(kind == "interim response" ? 0 : .max).description)
            switch kind {
            case "header": for number in 0..<20_000 { connection.send("X-\(number): \(String(repeating: "x", count: 100))\r\n") }
            case "one header": connection.send("X: \(String(repeating: "x", count: 400_000))\r\n\r\n")
            case "trailer":
                connection.send("\r\n1\r\nx\r\n0\r\n")
                for number in 0..<20_000 { connection.send("X-\(number): \(String(repeating: "x", count: 100))\r\n") }
            default: for _ in 0..<20_000 { connection.send("HTTP/1.1 103 Early Hints\r\nX: \(String(repeating: "x", count: 100))\r\n\r\n") }
            }
            _ = connection.waitForClose()
        }
        let result = chain.retry().route(.get, server.url()).void.stream().ended()
        guard case .malformedResponse(_, let reason) = result.error as? TransportError else {
            Issue.record("\(result)")
            return
        }
        #expect(reason == (kind == "one header" ? "a header is too long" : "its header is longer than 262144 bytes"))
        #expect(server.connectionCount == 1)
    }

    @Test func `The limit of a header is set by the chain`() throws {
        let chain = asking(.text("hello").header("X", String(repeating: "x", count: 1000)))
        #expect(chain.maximumHeaderSize(1500).data.stream().ended().error == nil)
        let error = try #require(chain.maximumHeaderSize(1000).data.stream().ended().error as? TransportError)
        #expect(error.kind == "TransportError.malformedResponse")
    }
}

/// Many zeros in few bytes.
///
/// Source: [RFC 1950](https://www.rfc-editor.org/rfc/rfc1950), [RFC 1951, 3.2.6](https://www.rfc-editor.org/rfc/rfc1951).
private enum Zeros {
    static func compressed(_ count: Int) -> Data {
        var bits = Bits()
        bits.append(0b011, 3)  // The last block, with the fixed codes.
        let repetitions = (count - 1) / 258
        for _ in 0..<(count - repetitions * 258) { bits.append(0b0000_1100, 8) }  // A zero.
        for _ in 0..<repetitions { bits.append(0b0_0000_1010_0011, 13) }  // The byte before, 258 times.
        bits.append(0, 7)  // The end.
        let sum = UInt32(count % 65521) << 16 | 1
        return [0x78, 0x9C] + bits.data + withUnsafeBytes(of: sum.bigEndian) { Data($0) }
    }

    private struct Bits {
        private var bytes = Data()
        private var pending: UInt64 = 0
        private var count = 0

        /// The lowest bit first.
        mutating func append(_ bits: UInt64, _ length: Int) {
            pending |= bits << UInt64(count)
            count += length
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                count -= 8
            }
        }

        var data: Data { count == 0 ? bytes : bytes + [UInt8(truncatingIfNeeded: pending)] }
    }
}

/// The bytes of address space that this process has.
private func virtualMemory() -> Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first.flatMap { Int($0) } ?? 0
    return pages * Int(getpagesize())
}
