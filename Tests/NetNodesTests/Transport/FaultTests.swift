import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// Each fault of a server ends in the one typed error that Docs/NetNodes.md names.
@Suite("Faults of the network", .countsResources)
struct FaultTests {
    let transport = CurlTransport()

    private func failure(_ timeouts: HTTPRequest.Timeouts = .init(), _ script: @escaping ScriptedServer.Script) throws -> String {
        let server = try ScriptedServer(script)
        let error = collect(HTTPRequest(.get, server.url(), timeouts: timeouts), on: transport).error
        return error.map { kind($0) } ?? "none"
    }

    /// The name of the error's case.
    private func kind(_ error: TransportError) -> String {
        Mirror(reflecting: error).children.first?.label ?? "\(error)"
    }

    @Test(
        "an answer that is no proper response",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npartial", "incompleteBody"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "incompleteBody"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", "malformedResponse"),
            ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "malformedResponse"),
            ("HTTP/1.1 200 OK\r\nno colon here\r\n\r\n", "malformedResponse"),
            ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 200_000))\r\n\r\n", "malformedResponse"),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip", "malformedResponse"),
            ("garbage\r\n\r\n", "malformedResponse"),
            ("HTTP/1.1 abc\r\n\r\n", "malformedResponse"),
            ("", "connectionLost"),
        ])
    func brokenAnswer(answer: String, expected: String) throws {
        let kind = try failure { connection in
            _ = connection.readRequest()
            connection.send(answer)
        }
        #expect(kind == expected)
    }

    @Test("a reset before the response")
    func resetBeforeAnswer() throws {
        let kind = try failure { connection in
            _ = connection.readRequest()
            connection.reset()
        }
        #expect(kind == "connectionLost")
    }

    @Test("a reset in the middle of the body")
    func resetInBody() throws {
        let kind = try failure { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart")
            _ = connection.waitForClose(milliseconds: 50)
            connection.reset()
        }
        #expect(kind == "connectionLost")
    }

    @Test("a server that stops sending in the middle of the body")
    func idle() throws {
        let elapsed = try quickest(below: .milliseconds(900)) {
            try duration(of: {
                let kind = try failure(.init(idle: .milliseconds(250))) { connection in
                    _ = connection.readRequest()
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart")
                    _ = connection.waitForClose()
                }
                #expect(kind == "timedOut")
            })
        }
        #expect(elapsed < .milliseconds(900))
    }

    @Test("a slow body without long pauses does not time out")
    func throttle() throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
            for _ in 0..<6 {
                _ = connection.waitForClose(milliseconds: 100)
                connection.send("x")
            }
        }
        let request = HTTPRequest(.get, server.url(), timeouts: .init(idle: .milliseconds(300)))
        #expect(
            succeedsOnce {
                let result = collect(request, on: transport)
                return result.text == "xxxxxx" && result.error == nil
            })
    }

    @Test("an unknown host name")
    func nameLookup() throws {
        let url = try #require(URL(string: "http://nowhere.invalid/a"))
        let result = collect(HTTPRequest(.get, url), on: transport)
        #expect(result.error == .cannotFindHost("nowhere.invalid", url: "http://nowhere.invalid/a"))
    }

    @Test("https to a plain http server")
    func noTLS() throws {
        let server = try ScriptedServer { connection in
            _ = connection.readAvailable()
            connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        #expect(kind(try #require(collect(HTTPRequest(.get, url), on: transport).error)) == "secureConnectionFailed")
    }

    @Test("a server that accepts connections but never completes the TLS handshake")
    func handshakeHangs() throws {
        let server = try ScriptedServer { connection in _ = connection.waitForClose(milliseconds: 50_000) }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let result = collect(HTTPRequest(.get, url, timeouts: .init(connect: .milliseconds(200))), on: transport)
        #expect(result.error == .timedOut(.connect, after: .milliseconds(200), url: url.absoluteString))
    }

    @Test("a response with an unsuccessful status is a response", arguments: [204, 304, 400, 401, 404, 418, 500, 503])
    func badStatus(status: Int) throws {
        let challenge = status == 401 ? "WWW-Authenticate: Basic realm=\"x\"\r\n" : ""
        let server = try ScriptedServer.answering("HTTP/1.1 \(status) X\r\n\(challenge)Content-Length: 0\r\n\r\n")
        let result = collect(HTTPRequest(.get, server.url()), on: transport)
        #expect(result.error == nil)
        #expect(result.head?.status == status)
    }

    @Test("an invalid request fails before anything is sent")
    func refusedBeforeSending() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\n\r\n")
        let injected = HTTPRequest(.get, server.url(), headers: ["X-A": "1\r\nX-B: 2"])
        #expect(collect(injected, on: transport).error == .invalidHeader(name: "X-A", reason: "the value contains a line break or a NUL"))
        let badName = HTTPRequest(.get, server.url(), headers: ["X A": "1"])
        #expect(kind(try #require(collect(badName, on: transport).error)) == "invalidHeader")
        let badMethod = HTTPRequest(HTTPMethod(rawValue: "GET /x"), server.url())
        #expect(collect(badMethod, on: transport).error == .invalidMethod("GET /x"))
        let file = HTTPRequest(.get, URL(filePath: "/etc/hostname"))
        #expect(kind(try #require(collect(file, on: transport).error)) == "unsupportedScheme")
        let missing = HTTPRequest(.put, server.url(), body: .file(URL(filePath: "/nowhere/at/all")))
        #expect(collect(missing, on: transport).error == .unreadableBody(path: "/nowhere/at/all", reason: "No such file or directory"))
        #expect(server.connectionCount == 0)
    }
}
