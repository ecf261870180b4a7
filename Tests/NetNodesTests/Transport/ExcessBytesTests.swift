import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// Bytes behind a response, in one piece with it, must never be taken for the response to a request that is sent afterwards.
@Suite("Excess bytes after a response", .countsResources, .blocksThread)
struct ExcessBytesTests {
    struct Response: CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let text: String

        var testDescription: String { "\(method) \(text.debugDescription)" }

        init(_ method: HTTPRequest.Method, _ text: String) {
            self.method = method
            self.text = "HTTP/1.1 \(text)"
        }
    }

    private static let excess = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"

    static let responses = [
        Response(.get, "200 OK\r\nContent-Length: 2\r\n\r\nok"),
        Response(.get, "200 OK\r\nContent-Length: 0\r\n\r\n"),
        Response(.get, "204 No Content\r\n\r\n"), Response(.get, "304 Not Modified\r\nContent-Length: 4\r\n\r\n"),
        Response(.get, "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
        Response(.head, "200 OK\r\nContent-Length: 4\r\n\r\n"),
        Response(.head, "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
    ]

    @Test(arguments: responses) func `Excess bytes are not the next response`(response: Response) throws {
        let server = try ScriptedServer.answering { connection, request in
            guard request.line.contains("/first") else { return connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood") }
            connection.send(response.text + Self.excess)
        }
        let transport = CurlTransport()
        for round in 1...20 {
            let first = transport.response(to: HTTPRequest(response.method, server.url("/first"))).ended()
            #expect(first.error == nil)
            #expect(first.elements.first?.body != Data("evil".utf8))
            let second = transport.response(to: HTTPRequest(.get, server.url("/second"))).ended()
            #expect(second.elements.first?.body == Data("good".utf8), "round \(round): \(second)")
        }
    }
}
