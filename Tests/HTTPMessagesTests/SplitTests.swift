import StreamsTesting
import TestSupport
import Testing

@testable import HTTPMessages

/// The parser is told nothing by the way in which bytes arrive.
@Suite("Messages in pieces")
struct SplitTests {
    private static let limits = MessageParser.Limits(startLine: 300, header: 300)

    private func expectSameSteps(_ bytes: [UInt8], _ role: MessageParser.Role) {
        func parsed(_ pieces: [[UInt8]]) -> Parsed { Parsed(pieces, as: role, limits: Self.limits, bodyLimit: 100, closes: true) }
        let whole = parsed([bytes])
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        #expect(parsed(bytes.map { [$0] }) == whole, "byte by byte: \(text)")
        for position in bytes.indices {
            #expect(parsed([Array(bytes[..<position]), Array(bytes[position...])]) == whole, "at \(position): \(text)")
        }
    }

    /// Samples that test a limit are longer, and are covered by the limits here.
    private static func short(_ text: String) -> Bool { text.utf8.count < 1_000 }

    @Test(arguments: RequestSample.all.filter { short($0.text) }) func `A request is the same wherever its bytes are split`(
        _ sample: RequestSample
    ) {
        expectSameSteps(Array(sample.text.utf8), .server)
    }

    @Test(arguments: ResponseSample.all.filter { short($0.text) })
    func `A response is the same wherever its bytes are split`(_ sample: ResponseSample) {
        expectSameSteps(Array(sample.text.utf8), .client)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 400) + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(repeating: "1;\(String(repeating: "e", count: 60))\r\nx\r\n", count: 8),
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 204 No\r\n\r\nHTTP/1.1 200 OK\r\n\r\nuntil the end", "HTTP/1.1 2", "",
        "HTTP/1.1 101 Switching\r\nUpgrade: a\r\n\r\n\u{1}\n\u{2}",
    ])
    func `Limits, messages in a row and other protocols are the same too`(text: String) {
        expectSameSteps(Array(text.utf8), .client)
    }

    @Test(arguments: 0..<8) func `So is what chance makes of the samples`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let samples = RequestSample.all.map(\.text).filter(Self.short) + ResponseSample.all.map(\.text).filter(Self.short)
        for _ in 0..<200 {
            let sample = samples[Int(random.next() % UInt64(samples.count))]
            let bytes = random.mutated(Array(sample.utf8))
            let cut = bytes.isEmpty ? 0 : Int(random.next() % UInt64(bytes.count))
            for role in [MessageParser.Role.server, .client] {
                let whole = Parsed([bytes], as: role, limits: Self.limits, bodyLimit: 100, closes: true)
                let split = Parsed(
                    [Array(bytes[..<cut]), Array(bytes[cut...])], as: role, limits: Self.limits, bodyLimit: 100, closes: true)
                #expect(split == whole, "seed \(seed): \(bytes)")
            }
        }
    }

    @Test func `The fuzzer's findings are the same byte by byte`() throws {
        for input in try FuzzCorpus.requests.inputs() {
            for role in [MessageParser.Role.server, .client] {
                let whole = Parsed([input], as: role, limits: Self.limits, bodyLimit: 100, closes: true)
                #expect(Parsed(input.map { [$0] }, as: role, limits: Self.limits, bodyLimit: 100, closes: true) == whole)
            }
        }
    }
}
