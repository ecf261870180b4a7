import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// Heads that libcurl lets pass, or takes for something else than the server meant.
@Suite("Malformed heads", .countsResources, .stopsServers, .blocksThread)
struct MalformedHeadTests {
    private let transport = CurlTransport()

    /// Why the response is malformed.
    private func reason(_ answer: String) throws -> String? {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.send(answer)
            _ = connection.waitForClose()
        }
        let request = HTTPRequest(.get, server.url(), timeouts: HTTPRequest.Timeouts(idle: .seconds(300)))
        let whole = transport.response(to: request).ended()
        #expect(whole.elements.isEmpty)
        let streamed = collect(request, on: transport)
        #expect(streamed.error == whole.error as? TransportError)
        return if case .malformedResponse(_, let reason) = streamed.error { reason } else { nil }
    }

    @Test(arguments: ["HTTP/1.1  200 OK", "HTTP/1.1 99 OK", "HTTP/1.1 099 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 20 OK", "HTTP/1.1 +20 OK"])
    func `A status line that has no status of three digits in its place is no head`(line: String) throws {
        #expect(try reason("\(line)\r\nContent-Length: 2\r\n\r\nok") == "it does not begin with a status line")
    }

    @Test(
        arguments: [
            "Content-Length: 0x2", "Content-Length: 2.0", "Content-Length: 2 2", "Content-Length: +2", "Content-Length: -2",
            "Content-Length: 2\r\n 2", "Content-Length: 2, 3", "Content-Length: 2\r\ncontent-length: 3", "Content-Length: \u{662}",
            "Content-Length:", "Content-Length: 99999999999999999999", "Content-Length: 0x2\r\nTransfer-Encoding: chunked",
        ])
    func `An announced length that is not made of digits, or is two, is none`(fields: String) throws {
        #expect(try reason("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nok") == "the Content-Length is not a number")
    }

    @Test func `A repeated Content-Length is accepted if equal, a folded field is one field`() throws {
        let server = try ScriptedServer.answering(
            "HTTP/1.1 200\r\nContent-Length: 2\r\nX-Long: a\r\n  b: c\r\n\td\r\ncontent-length: 2\r\nX-Last:\r\n e\r\n\r\nok")
        let response = try #require(transport.response(to: HTTPRequest(.get, server.url())).ended().elements.first)
        #expect(response.body == Data("ok".utf8))
        #expect(response.headers["X-Long"] == "a b: c d")
        #expect(response.headers["X-Last"] == "e")
        #expect(response.headers.count == 4)
    }

    @Test func `Bytes of a value that are not UTF-8 are Latin-1, and an entity tag is sent as it was received`() throws {
        let received = Lock([UInt8]())
        let tag: [UInt8] = [0x22, 0xE9, 0xC3, 0xA9, 0x80, 0x22]
        let server = try ScriptedServer { connection in
            while let bytes = connection.readAvailable() {
                received.withLock { $0 = bytes }
                let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Utf8: é\r\nX-Latin: ".utf8) + [0xE9]
                connection.send(head + Array("\r\nETag: ".utf8) + tag + Array("\r\n\r\n".utf8))
            }
        }
        let head = try #require(transport.response(to: HTTPRequest(.get, server.url())).ended().elements.first).headers
        #expect(head["X-Utf8"] == "é")
        #expect(head["X-Latin"] == "é")
        let validator = try #require(head["ETag"])
        for name in ["If-None-Match", "if-match", "If-Range"] {
            let request = HTTPRequest(.get, server.url(), headers: [name: validator, "X-Utf8": "é"])
            #expect(transport.response(to: request).ended().error == nil)
            let sent = received.withLock { $0 }
            #expect(sent.firstRange(of: Array("\(name): ".utf8) + tag + Array("\r\n".utf8)) != nil)
            #expect(sent.firstRange(of: Array("X-Utf8: é\r\n".utf8)) != nil)
        }
    }

    @Test(arguments: ["\"a\"", "\"é\"", "\"日本\"", "\"é日\""]) func `A server knows its entity tag again, whatever text it is`(tag: String)
        throws
    {
        let server = try running(LoopbackServer.Route.get("/") { _ in .text("body").header("ETag", tag) }.conditional().resumable())
        let url = server.baseURL
        let received = try #require(transport.response(to: HTTPRequest(.get, url)).ended().elements.first?.headers["ETag"])
        let confirmed = transport.response(to: HTTPRequest(.get, url, headers: ["If-None-Match": received])).ended()
        #expect(confirmed.elements.first?.status == 304)
        let part = transport.response(to: HTTPRequest(.get, url, headers: ["If-Range": received, "Range": "bytes=2-"])).ended()
        #expect(part.elements.first?.body == Data("dy".utf8))
    }

    @Test(arguments: ["0x5", "+5", " 5", "-5", "FFFFFFFFFFFFFFFF", "00000000000000000005", "x", ""])
    func `A malformed chunk size`(size: String) throws {
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\nhello\r\n0\r\n\r\n"
        #expect(try reason(answer) == "a chunk size is not a number")
    }
}
