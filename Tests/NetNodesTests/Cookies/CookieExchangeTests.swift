import Foundation
import LoopbackServer
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

/// A jar in a chain, over real sockets.
@Suite("Cookies of a chain", .countsResources, .stopsServers, .blocksThread)
struct CookieExchangeTests {
    private let jar = CookieJar(CookieClock())
    private let chain = URLChain(transport: CurlTransport()).timeout(.seconds(300))

    private func setting(_ cookies: String..., body: String = "", status: Int = 200, location: String? = nil) -> LoopbackServer.Response {
        var response = LoopbackServer.Response.text(body, status: status)
        for cookie in cookies { response.headers.append("Set-Cookie", cookie) }
        response.headers["Location"] = location
        return response
    }

    private func received(by server: LoopbackServer) -> [String] {
        server.recordedRequests.map { "\($0.path) \($0.headers["Cookie"] ?? "-")" }
    }

    @Test func `A later request has the cookies of an earlier response`() throws {
        let server = try running(.get("/login") { _ in setting("id=1; Path=/") }, .get("/*") { _ in .text("") })
        let chain = chain.cookies(jar)
        #expect(chain.route(.get, "\(server.baseURL)/login").void.stream().ended().error == nil)
        #expect(chain.route(.get, "\(server.baseURL)/page").void.stream().ended().error == nil)
        #expect(received(by: server) == ["/login -", "/page id=1"])
    }

    @Test func `Without a jar no cookie is kept`() throws {
        let server = try running(.get("/*") { _ in setting("id=1; Path=/") })
        for _ in 0..<2 { #expect(chain.route(.get, "\(server.baseURL)/x").void.stream().ended().error == nil) }
        #expect(received(by: server) == ["/x -", "/x -"])
    }

    @Test func `Each redirect sets cookies and gets its own`() throws {
        let server = try running(
            .get("/a") { _ in setting("one=1; Path=/", "gone=x; Path=/", status: 302, location: "/b/c") },
            .get("/b/c") { _ in setting("two=2", "gone=; Path=/; Max-Age=0", status: 302, location: "/b/d") },
            .get("/b/d") { _ in setting("three=3", status: 404) })
        let ended = chain.cookies(jar).route(.get, "\(server.baseURL)/a").response.stream().ended()
        #expect(ended.elements.map(\.status) == [404])
        #expect(received(by: server) == ["/a -", "/b/c one=1; gone=x", "/b/d two=2; one=1"])
        #expect(jar.cookies.map(\.name) == ["one", "two", "three"])
    }

    @Test func `A redirect to another host takes the cookies of that host, and not those of the request`() throws {
        let back = Lock("")
        let other = try running(.get("/there") { _ in setting("o=1; Path=/", status: 302, location: back.withLock { $0 }) })
        let server = try running(
            .get("/start") { _ in setting("s=1; Path=/", status: 302, location: "http://localhost:\(other.port)/there") },
            .get("/end") { _ in .text("") })
        back.withLock { $0 = "\(server.baseURL)/end" }
        jar.receive(["l=1"], from: "http://localhost/")
        let chain = chain.cookies(jar).headers(["Cookie": "own=SECRET"])
        #expect(chain.route(.get, "\(server.baseURL)/start").void.stream().ended().error == nil)
        #expect(received(by: other) == ["/there l=1"])
        #expect(received(by: server) == ["/start own=SECRET", "/end s=1"])
    }

    @Test func `A field of the request remains, and its names are not sent twice`() throws {
        let server = try running(.get("/a") { _ in .redirect(to: "/b", status: 302) }, .get("/*") { _ in .text("") })
        jar.receive(["id=jar", "x=1"], from: server.baseURL.description)
        let chain = chain.cookies(jar).headers(["Cookie": "id=own; y = 2"])
        #expect(chain.route(.get, "\(server.baseURL)/a").void.stream().ended().error == nil)
        #expect(received(by: server) == ["/a id=own; y = 2; x=1", "/b id=own; y = 2; x=1"])
    }

    @Test func `A retry has the cookies of the attempt before it`() throws {
        let server = try running(.get("/x") { request in setting("id=1", status: request.headers["Cookie"] == nil ? 503 : 200) })
        let chain = chain.retry(.transient(initial: .zero, jitter: 0)).cookies(jar)
        #expect(chain.route(.get, "\(server.baseURL)/x").void.stream().ended().error == nil)
        #expect(received(by: server) == ["/x -", "/x id=1"])
    }

    @Test func `Events, lines, downloads and transfers keep cookies too`() throws {
        let server = try running(
            .get("/events") { _ in
                setting("e=1", body: "data: 1\n\n").header("Content-Type", "text/event-stream")
            },
            .get("/lines") { _ in setting("l=1", body: "1\n") }, .get("/file") { _ in setting("d=1") },
            .get("/transfer") { _ in setting("t=1", status: 500) })
        let folder = TemporaryDirectory()
        let chain = chain.cookies(jar)
        let events = chain.route(.get, "\(server.baseURL)/events").events(reconnection: nil).stream().ended()
        #expect(events.elements.map(\.data) == ["1"])
        #expect(chain.route(.get, "\(server.baseURL)/lines").lines(Int.self).stream().ended().elements == [1])
        let file = folder.url.appending(path: "file")
        #expect(chain.route(.get, "\(server.baseURL)/file").download(to: file).stream().ended().error == nil)
        #expect(chain.route(.get, "\(server.baseURL)/transfer").transfer.stream().ended().error == nil)
        #expect(received(by: server) == ["/events -", "/lines e=1", "/file e=1; l=1", "/transfer e=1; l=1; d=1"])
        #expect(jar.cookies.map(\.name) == ["e", "l", "d", "t"])
    }

    @Test func `A stored response belongs to its cookies, and sets none again`() throws {
        let server = try running(
            .get("/x") { request in
                setting("id=1; Path=/", body: request.headers["Cookie"] ?? "-").header("Cache-Control", "max-age=60")
            })
        let cached = chain.cookies(jar).cached(in: MemoryResponseCache(), .first).route(.get, "\(server.baseURL)/x").data
        #expect(cached.stream().ended().elements.map { String(decoding: $0, as: UTF8.self) } == ["-"])
        #expect(cached.stream().ended().elements.map { String(decoding: $0, as: UTF8.self) } == ["id=1"])
        jar.receive(["id=2; Path=/"], from: server.baseURL.description)
        let third = cached.stream().ended().elements.map { String(decoding: $0, as: UTF8.self) }
        #expect(third == ["id=2"])
    }

    @Test func `Operators and nodes keep cookies`() throws {
        let server = try running(.get("/*") { _ in setting("id=1; Path=/") })
        let transport = CurlTransport()
        let url = try #require(URL(string: "\(server.baseURL)/a"))
        #expect(Observable.just(HTTPRequest(.get, url)).cookies(of: jar).send(on: transport).ended().elements.count == 1)
        let sender = RequestSenderNode(transport: transport, next: ResponseProcessorNode(next: AnyNode { .just($0) }))
        let node = CookieJarNode(jar: jar, next: sender)
        #expect(node.stream(HTTPRequest(.get, url)).ended().elements.count == 1)
        #expect(received(by: server) == ["/a -", "/a id=1"])
    }

    @Test func `No log, recording or error has a value`() throws {
        let server = try running(
            .get("/a") { _ in setting("id=SECRET; Path=/", status: 302, location: "/b") }, .get("/b") { _ in .empty(500) })
        let recorder = RecordingTransport(CurlTransport())
        let lines = Lock("")
        let chain = URLChain(transport: recorder).cookies(jar).log { log in lines.withLock { $0 += "\(log)" } }
        let error = chain.route(.get, "\(server.baseURL)/a").void.stream().ended().error
        let again = chain.route(.get, "\(server.baseURL)/a").void.stream().ended().error
        #expect(server.recordedRequests.last?.headers["Cookie"] == "id=SECRET")
        let recorded = String(decoding: try JSONEncoder().encode(recorder.recording), as: UTF8.self)
        let shown = "\(lines.withLock { $0 })\(recorded)\(error.map { "\($0)" } ?? "")\(again.map { "\($0)" } ?? "")"
        #expect(shown.contains("500") && !shown.contains("SECRET"))
    }
}
