import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Load and leaks", .countsResources, .stopsServers, .blocksThread)
struct LoadTests {
    @Test func `A thousand concurrent requests all succeed, over few connections, without leaks`() throws {
        let server = try running(.get("/:number") { request in .text(request.parameters["number"] ?? "") })
        let base = server.baseURL
        expectNothingLeft(within: .seconds(300)) {
            let transport = CurlTransport()
            let all = Observable.merge(
                (0..<1000).map { number in
                    URLChain(transport: transport).route(.get, "\(base)/\(number)").data.stream().map {
                        String(decoding: $0, as: UTF8.self)
                    }
                })
            #expect(Set(all.ended().elements) == Set((0..<1000).map(String.init)))
        }
        #expect(server.counts.connectionsOpened <= 64)
    }

    @Test func `Errors and disposals leak nothing either`() throws {
        let server = try ScriptedServer.answering { connection, request in
            if request.line.contains("/hang") { _ = connection.waitForClose() }
            connection.send("HTTP/1.1 404 X\r\nContent-Length: 2\r\n\r\nno")
        }
        expectNothingLeft(within: .seconds(300)) {
            let base = URLChain(transport: CurlTransport())
            for _ in 0..<20 {
                #expect(base.route(.get, server.url()).output(JSON.self).stream().ended().error is HTTPError)
                let subscription = base.route(.get, server.url("/hang")).output(JSON.self).stream().subscribe { _ in }
                subscription.dispose()
            }
            #expect(base.route(.get, server.url("/hang")).timeout(.milliseconds(50)).data.stream().ended().error is TechnicalError)
        }
    }

    @Test func `A body of 50 MB is received completely, in chunks`() throws {
        let server = try running(.get("/large") { _ in .generated(bytes: 50_000_000) })
        let result = collect(HTTPRequest(.get, try server.baseURL + "large"), on: CurlTransport())
        #expect(result.error == nil)
        #expect(result.head?.expectedLength == 50_000_000)
        #expect(result.body == LoopbackServer.Response.generatedBytes(0..<50_000_000))
    }

    @Test func `A file is sent from disk, with its progress`() throws {
        let server = try running(.any("/file") { request in .text("\(request.method) \(request.body.count)") })
        let directory = TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let file = try directory.file("upload", Data(repeating: 0x61, count: 3_000_000))
        for method in [HTTPRequest.Method.put, .post] {
            let result = collect(HTTPRequest(method, try server.baseURL + "file", body: .file(file)), on: CurlTransport())
            #expect(result.text == "\(method) 3000000")
            #expect(result.events.contains(.progress(TransferEvent.Progress(completed: 3_000_000, total: 3_000_000))))
        }
    }

    @Test func `Compressed bodies are decompressed`() throws {
        let server = try running(.get("/zip") { _ in .text(String(repeating: "abc", count: 1000)).gzipped() })
        let result = collect(HTTPRequest(.get, try server.baseURL + "zip"), on: CurlTransport())
        #expect(result.text == String(repeating: "abc", count: 1000))
        #expect(result.head?.expectedLength == nil)
    }

    /// Numbers of sockets are used again at once here, which Dispatch sources on the sockets themselves do not survive on Linux.
    @Test func `Requests that are started and disposed in sequence on new transports lose no later one`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        for _ in 0..<300 {
            let transport = CurlTransport()
            let requests = Observable.from(["/a", "/b", "/c"]).flatMapLatest { path in
                transport.response(to: HTTPRequest(.get, server.url(path)))
            }
            #expect(requests.ended().elements.last?.url.path == "/c")
        }
    }
}
