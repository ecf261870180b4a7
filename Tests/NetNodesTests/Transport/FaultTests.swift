import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// Each fault of a server ends in the one typed error that Docs/Errors.md names.
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

    @Test func `A server that stops sending in the middle of the body`() throws {
        let kind = try failure(.init(idle: .milliseconds(250))) { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart")
            _ = connection.waitForClose()
        }
        #expect(kind == "timedOut")
    }

    @Test func `A slow body without long pauses does not time out`() throws {
        let isReceived = try succeedsAtSomePace { pause in
            let server = try ScriptedServer { connection in
                _ = connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
                for _ in 0..<6 {
                    _ = connection.waitForClose(milliseconds: Int32(pause / .milliseconds(1)))
                    connection.send("x")
                }
            }
            let result = collect(HTTPRequest(.get, server.url(), timeouts: .init(idle: pause * 3)), on: transport)
            return result.text == "xxxxxx" && result.error == nil
        }
        #expect(isReceived)
    }

    @Test(arguments: [204, 304, 400, 401, 404, 418, 500, 503])
    func `A response with an unsuccessful status is a response`(status: Int) throws {
        let challenge = status == 401 ? "WWW-Authenticate: Basic realm=\"x\"\r\n" : ""
        let server = try ScriptedServer.answering("HTTP/1.1 \(status) X\r\n\(challenge)Content-Length: 0\r\n\r\n")
        let result = collect(HTTPRequest(.get, server.url()), on: transport)
        #expect(result.error == nil)
        #expect(result.head?.status == status)
    }

    @Test func `An invalid request fails before anything is sent`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\n\r\n")
        let injected = HTTPRequest(.get, server.url(), headers: ["X-A": "1\r\nX-B: 2"])
        #expect(collect(injected, on: transport).error == .invalidHeader(name: "X-A", reason: "the value contains a line break or a NUL"))
        let badName = HTTPRequest(.get, server.url(), headers: ["X A": "1"])
        #expect(kind(try #require(collect(badName, on: transport).error)) == "invalidHeader")
        let badMethod = HTTPRequest(HTTPRequest.Method(rawValue: "GET /x"), server.url())
        #expect(collect(badMethod, on: transport).error == .invalidMethod("GET /x"))
        let file = HTTPRequest(.get, URL(filePath: "/etc/hostname"))
        #expect(kind(try #require(collect(file, on: transport).error)) == "unsupportedScheme")
        let missing = HTTPRequest(.put, server.url(), body: .file(URL(filePath: "/nowhere/at/all")))
        #expect(collect(missing, on: transport).error == .unreadableBody(path: "/nowhere/at/all", reason: "No such file or directory"))
        #expect(server.connectionCount == 0)
    }
}
