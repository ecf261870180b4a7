import TestSupport
import Testing

@testable import HTTPMessages

@Suite("Reading responses")
struct ResponseTableTests {
    @Test(arguments: ResponseSample.all) func `Each kind of response is read or refused as the table says`(_ sample: ResponseSample) {
        let limits = MessageParser.Limits(startLine: 256 << 10, header: 256 << 10)
        let parsed = Parsed([Array(sample.text.utf8)], as: .client, limits: limits, closes: true)
        switch sample.reading {
        case .body(let body): #expect(parsed.isComplete && parsed.body == body, "\(String(describing: parsed.fault))")
        case .incomplete: #expect(parsed.fault == .incomplete)
        case .refused(let reason): #expect(parsed.fault?.reason == reason)
        }
    }

    @Test func `Interim responses are dropped, and 101 ends HTTP`() throws {
        let text = "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 101 Switching\r\nUpgrade: b\r\n\r\nrest\n"
        var parser = MessageParser(.client)
        Array(text.utf8).withUnsafeBytes { parser.append($0) }
        #expect(parser.next() == .head(MessageHead(.response(status: 101), headers: ["Upgrade": "b"]), .upgraded))
        #expect(parser.next() == .needsInput)
        #expect(parser.rest.elementsEqual("rest\n".utf8))
        #expect(parser.close() == .needsInput)
    }

    @Test func `The response to HEAD has no body, whatever its length`() {
        var parser = MessageParser(.client, answersHead: true)
        Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8).withUnsafeBytes { parser.append($0) }
        #expect(parser.next() == .head(MessageHead(.response(status: 200), headers: ["Content-Length": "5"]), .fixed(0)))
        #expect(parser.next() == .end)
    }

    @Test func `The header limit counts interim heads, trailers and what the lines of chunks have beyond their size`() {
        let limits = MessageParser.Limits(startLine: 100, header: 100)
        let interim = "HTTP/1.1 100 Continue\r\n\r\n"
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        func fault(_ text: String) -> MessageFault? { Parsed([Array(text.utf8)], as: .client, limits: limits).fault }
        #expect(fault(head + "1\r\na\r\n0\r\n\r\n") == nil)
        #expect(fault(interim + interim + head) == nil)
        #expect(fault(interim + interim + interim + head) == .headerTooLong(limit: 100))
        #expect(fault(head + "0\r\nX: \(String(repeating: "x", count: 40))\r\n\r\n") == nil)
        #expect(fault(head + "0\r\nX: \(String(repeating: "x", count: 60))\r\n\r\n") == .headerTooLong(limit: 100))
        #expect(fault(head + String(repeating: "1;abcdefghijklm\r\na\r\n", count: 1_000)) == nil)
        #expect(fault(head + String(repeating: "1;\(String(repeating: "a", count: 30))\r\na\r\n", count: 5)) != nil)
    }
}
