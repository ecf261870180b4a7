import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Parsing requests", .countsResources)
struct RequestParserTests {
    @Test func `A request is parsed equally however its bytes are split in two`() {
        for sample in Samples.wellFormed {
            let whole = steps(of: [sample])
            for position in 0...sample.count {
                #expect(steps(of: [Array(sample[..<position]), Array(sample[position...])]) == whole, "split at \(position)")
            }
        }
    }

    @Test func `A request is parsed equally byte by byte`() {
        for sample in Samples.wellFormed + Samples.malformed {
            #expect(steps(of: sample.map { [$0] }) == steps(of: [sample]))
        }
    }

    @Test func `Every well-formed sample is parsed without failures`() {
        for sample in Samples.wellFormed {
            let steps = steps(of: [sample])
            #expect(!steps.isEmpty)
            #expect(!steps.contains { if case .failed = $0 { true } else { false } }, "\(String(decoding: sample, as: UTF8.self))")
        }
    }

    @Test(arguments: RequestSample.all) func `Each kind of request is served or refused as the table says`(_ sample: RequestSample) {
        let last = steps(of: [Array(sample.text.utf8)]).last
        switch sample.answer {
        case .served: #expect(last.map { if case .request = $0 { true } else { false } } == true, "\(String(describing: last))")
        case .awaited: #expect(last == nil)
        case .refused(let status): #expect(last.map { if case .failed(let failure) = $0 { failure.status } else { 0 } } == status)
        }
    }

    @Test func `Pipelined requests are parsed in order`() {
        let text =
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n" + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
            + "GET /3 HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(requests(text).map(\.head.target) == ["/1", "/2", "/3"])
        #expect(requests(text).map(\.body) == [[], Array("hi".utf8), []])
    }

    @Test func `Chunks are joined, their extensions and trailers ignored`() throws {
        let text =
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
            + "3;x=\"y\"\r\nabc\r\n00A\r\n0123456789\r\n" + "0\r\nDigest: x\r\n\r\n"
        let request = try #require(requests(text).first)
        #expect(String(decoding: request.body, as: UTF8.self) == "abc0123456789")
        #expect(request.head.headers["Digest"] == nil)
    }

    @Test func `The expectation of 100 Continue is reported before the body`() {
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        #expect(steps(of: [Array(head.utf8)]) == [.expectsContinue])
        #expect(steps(of: [Array(head.utf8), Array("ok".utf8)]).count == 2)
    }

    @Test func `Version and header determine whether the connection stays open`() {
        let cases: [(String, Bool)] = [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", false),
            ("GET / HTTP/1.0\r\n\r\n", false),
            ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true),
        ]
        for (text, keepsAlive) in cases {
            #expect(requests(text).map(\.head.keepsAlive) == [keepsAlive])
        }
    }

    @Test func `An absolute target is reduced to its path`() {
        #expect(requests("GET http://a:80/x?y=1 HTTP/1.1\r\nHost: a\r\n\r\n").map(\.head.target) == ["/x?y=1"])
        #expect(requests("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n").map(\.head.target) == ["/"])
        #expect(requests("GET http://a?y=1 HTTP/1.1\r\nHost: a\r\n\r\n").map(\.head.target) == ["/?y=1"])
    }

    @Test func `A header value that is not UTF-8 is read as Latin-1`() throws {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX-Name: ".utf8) + [0x4D, 0xFC] + Array("\r\n\r\n".utf8)
        guard case .request(let request)? = steps(of: [bytes]).first else {
            Issue.record("no request")
            return
        }
        #expect(request.head.headers["x-name"] == "Mü")
    }

    @Test func `A header exactly at the limit is accepted, one byte more is not`() {
        let limits = RequestParser.Limits(lineBytes: 100, headerBytes: 30, bodyBytes: 10)
        let host = "Host: a\r\n"
        let fitting = "GET / HTTP/1.1\r\n" + host + "X: " + String(repeating: "x", count: 30 - host.utf8.count - 5) + "\r\n\r\n"
        #expect(requests(fitting, limits: limits).count == 1)
        let tooLong = fitting.replacing("X: ", with: "X: y")
        #expect(steps(of: [Array(tooLong.utf8)], limits: limits).last == .failed(.headerTooLarge))
    }

    @Test func `After a failure nothing else is parsed`() {
        let text = "BAD\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(steps(of: [Array(text.utf8)]).count == 1)
    }

    @Test func `Thousands of header fields take linear time`() {
        let fields = (0..<10_000).map { "a\($0):\r\n" }.joined()
        let limits = RequestParser.Limits(lineBytes: 100, headerBytes: 1 << 20, bodyBytes: 10)
        #expect(requests("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n", limits: limits).first?.head.headers.count == 10_001)
    }

    @Test(arguments: 0..<8) func `Random bytes and mutated requests never crash it, and splitting changes nothing`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<400 {
            let bytes = Samples.mutated(&random)
            let cut = bytes.isEmpty ? 0 : Int(random.next() % UInt64(bytes.count))
            let limits = RequestParser.Limits(lineBytes: 60, headerBytes: 90, bodyBytes: 40)
            let split = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(steps(of: split, limits: limits) == steps(of: [bytes], limits: limits), "seed \(seed): \(bytes)")
        }
    }

    @Test func `The fuzzer's findings are parsed equally however they are split`() throws {
        let limits = RequestParser.Limits(lineBytes: 200, headerBytes: 300, bodyBytes: 200)
        let inputs = try FuzzCorpus.requests.inputs()
        #expect(inputs.count > 100)
        for input in inputs {
            #expect(steps(of: input.map { [$0] }, limits: limits) == steps(of: [input], limits: limits))
        }
    }

    private func requests(_ text: String, limits: RequestParser.Limits = .init()) -> [RequestParser.Request] {
        steps(of: [Array(text.utf8)], limits: limits).compactMap { if case .request(let request) = $0 { request } else { nil } }
    }

    /// All steps but `needsInput`, up to the first failure.
    private func steps(of pieces: [[UInt8]], limits: RequestParser.Limits = .init()) -> [RequestParser.Step] {
        var parser = RequestParser(limits: limits)
        var steps: [RequestParser.Step] = []
        for piece in pieces {
            parser.append(piece)
            while case let step = parser.next(), step != .needsInput {
                steps.append(step)
                if case .failed = step { return steps }
            }
        }
        return steps
    }
}
