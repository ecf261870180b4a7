import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

@Suite("Cache", .countsResources, .stopsServers, .blocksThread)
struct CacheTests {
    private let transport = CurlTransport()

    private func chain(_ url: any URLRouteProvider, _ cache: any ResponseCache, _ policy: CachedResponse.Policy) -> URLChain<Routed, Void> {
        URLChain(transport: transport).cached(in: cache, policy).route(.get, url)
    }

    @Test func `A 304 is replaced by the stored body, revalidated by ETag`() throws {
        let server = try running(LoopbackServer.Route.get("/teas") { _ in .json(["green", "black"]) }.conditional())
        let cache = MemoryResponseCache()
        let teas = chain(try server.baseURL + "teas", cache, .revalidate).output([String].self)
        for _ in 0..<3 { #expect(teas.stream().ended().elements == [["green", "black"]]) }
        let asked = server.recordedRequests.map { $0.headers["If-None-Match"] }
        #expect(asked.count == 3)
        #expect(asked[0] == nil)
        #expect(asked[1] != nil && asked[1] == asked[2])
    }

    @Test func `Last-Modified is used without an ETag`() throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let server = try running(
            .get("/teas") { request in
                request.headers["If-Modified-Since"] == date ? .empty(304) : .json(["green"]).header("Last-Modified", date)
            })
        let teas = chain(try server.baseURL + "teas", MemoryResponseCache(), .revalidate).output([String].self)
        for _ in 0..<2 { #expect(teas.stream().ended().elements == [["green"]]) }
        #expect(server.recordedRequests.last?.headers["If-Modified-Since"] == date)
    }

    @Test func `A validator that no request may contain is not sent, and the response is requested as before`() throws {
        let answer = "HTTP/1.1 200 OK\r\nETag: \"a\rb\"\r\nLast-Modified: a\rb\r\nContent-Length: 9\r\n\r\n[\"green\"]"
        let server = try ScriptedServer.answering(answer)
        let teas = chain(server.url("/teas"), MemoryResponseCache(), .revalidate).output([String].self)
        for _ in 0..<2 { #expect(teas.stream().ended().elements == [["green"]]) }
    }

    @Test func `A 304 to the request's own condition is not taken for the stored response, which is another`() throws {
        let server = try running(
            .get("/teas") { request in
                request.headers["If-None-Match"] == "\"2\"" ? .empty(304) : .json(["new"]).header("ETag", "\"2\"")
            })
        let (cache, url) = (MemoryResponseCache(), try server.baseURL + "teas")
        let stored = CachedResponse(status: 200, headers: ["ETag": "\"1\""], body: Data("[\"old\"]".utf8))
        _ = cache.store(stored, for: CachedResponse.Key(HTTPRequest(.get, url))).ended()
        let teas = chain(url, cache, .revalidate).headers(["If-None-Match": "\"2\""]).output([String].self)
        #expect(teas.stream().ended().elements == [["new"]])
        #expect(server.recordedRequests.map { $0.headers["If-None-Match"] } == ["\"2\"", nil])
    }

    @Test func `A response removed before the 304 is requested again`() throws {
        let cache = MemoryResponseCache()
        let server = try running(
            .get("/teas") { request in
                defer { cache.removeAll() }
                return request.headers["If-None-Match"] == nil ? .json(["green"]).header("ETag", "\"1\"") : .empty(304)
            })
        let url = try server.baseURL + "teas"
        let stored = CachedResponse(status: 200, headers: ["ETag": "\"1\""], body: Data("[]".utf8))
        _ = cache.store(stored, for: CachedResponse.Key(HTTPRequest(.get, url))).ended()
        #expect(chain(url, cache, .revalidate).output([String].self).stream().ended().elements == [["green"]])
        #expect(server.recordedRequests.map { $0.headers["If-None-Match"] } == ["\"1\"", nil])
    }

    @Test func `FirstCache emits the stored response and then the network's; a miss is ignored`() throws {
        let server = try running(.script("GET", "/teas", LoopbackServer.Script([.json(["green"]), .json(["black"])])))
        let teas = chain(try server.baseURL + "teas", MemoryResponseCache(), .first).output([String].self)
        #expect(teas.stream().ended().elements == [["green"]])
        #expect(teas.stream().ended().elements == [["green"], ["black"]])
    }

    @Test func `FirstCache continues with the network if the stored response cannot be decoded, and logs that`() throws {
        let server = try running(.get("/teas") { _ in .json(["green"]) })
        let cache = MemoryResponseCache()
        let url = try server.baseURL + "teas"
        _ = cache.store(CachedResponse(status: 200, headers: [:], body: Data("7".utf8)), for: CachedResponse.Key(HTTPRequest(.get, url)))
            .ended()
        let logged = Slot<OperationLog>()
        let teas = URLChain(transport: transport).cached(in: cache, .first).log(.from(.warning)) { logged.fill($0) }.route(.get, url)
        #expect(teas.output([String].self).stream().ended().elements == [["green"]])
        #expect(logged.wait()?.messages.last?.node == "precededByCached")
    }

    @Test func `The cache responds only if the connection fails`() throws {
        let server = try running(.script("GET", "/teas", LoopbackServer.Script([.json(["green"]), .empty(500), .text("garbage")])))
        let teas = chain(try server.baseURL + "teas", MemoryResponseCache(), .ifConnectionFails).output([String].self)
        #expect(teas.stream().ended().elements == [["green"]])
        #expect(teas.stream().ended().error is HTTPError)
        #expect(teas.stream().ended().error is JSON.SyntaxError)
        server.stop()
    }

    @Test func `Without a server the stored response is emitted, and without a stored response the technical error`() throws {
        let cache = MemoryResponseCache()
        let url = "http://127.0.0.1:\(try ReservedPorts.next())/teas"
        let teas = chain(url, cache, .ifConnectionFails).output([String].self)
        #expect(teas.stream().ended().error is TechnicalError)
        let stored = CachedResponse(status: 200, headers: [:], body: Data("[\"green\"]".utf8))
        _ = cache.store(stored, for: CachedResponse.Key(HTTPRequest(.get, try url.url()))).ended()
        #expect(teas.stream().ended().elements == [["green"]])
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, 200, "", true), (.head, 200, "", true), (.post, 200, "", false), (.get, 404, "", false),
        (.get, 206, "", false), (.get, 200, "no-store", false), (.get, 200, "private, max-age=1", true),
    ])
    func `Only whole successes of GET and HEAD are stored, and nothing that must not be`(
        method: HTTPRequest.Method, status: Int, control: String, isStored: Bool
    ) throws {
        let url = try "http://h/".url()
        let response = HTTPResponse(head: HTTPResponse.Head(status: status, headers: ["Cache-Control": control], url: url))
        #expect((CachedResponse(response, to: HTTPRequest(method, url)) != nil) == isStored)
    }

    @Test func `A key depends on method and varying headers, but not on the order of query items`() throws {
        func key(
            _ url: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPHeaders = [:],
            varying: [String] = CachedResponse.Key.usualHeaders
        ) throws
            -> CachedResponse.Key
        {
            CachedResponse.Key(HTTPRequest(method, try url.url(), headers: headers), varying: varying)
        }
        let plain = try key("http://h/a?x=1&y=2")
        #expect(try key("http://h/a?y=2&x=1") == plain)
        #expect(try key("HTTP://H:80/a?y=2&x=1#part") == plain)
        #expect(try key("http://h/a?x=1&x=2") != key("http://h/a?x=2&x=1"))
        for other in ["http://h/a?x=1", "http://h/a?x=1&y=3", "https://h/a?x=1&y=2", "http://h:81/a?x=1&y=2", "http://h/b?x=1&y=2"] {
            #expect(try key(other) != plain)
        }
        #expect(try key("http://h/a?x=1&y=2", .head) != plain)
        #expect(try key("http://h/a?x=1&y=2", .get, ["accept-language": "eo"]) != plain)
        #expect(try key("http://h/a?x=1&y=2", .get, ["Authorization": "secret"]) != plain)
        #expect(try key("http://h/a?x=1&y=2", .get, ["X-Other": "1"]) == plain)
        #expect(try key("http://h/a?x=1&y=2", .get, ["X-Other": "1"], varying: ["x-other"]) != plain)
        #expect(SHA256.hexadecimal(of: "abc".utf8) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.hexadecimal(of: String(repeating: "a", count: 119).utf8).hasPrefix("31eba51c313a5c08226adf18d4a359cf"))
    }

    @Test(arguments: [[], CachedResponse.Key.usualHeaders, ["Accept"]])
    func `An answer is given to nobody else: each credential has its own key, whatever the key is told to vary by`(varying: [String]) throws
    {
        let requests = try ["http://h/", "http://bob@h/", "http://bob:1@h/", "http://bob:2@h/", "http://eve:1@h/"].map { url in
            HTTPRequest(.get, try url.url())
        }
        let headers = ["Cookie", "X-Api-Key", "Authorization", "X-Session-Id", "Ocp-Apim-Subscription-Key"].flatMap { name in
            ["1", "2", ""].map { HTTPRequest(.get, requests[0].url, headers: [name: $0]) }
        }
        let all = requests + headers
        #expect(Set(all.map { CachedResponse.Key($0, varying: varying) }).count == all.count)
        let two = HTTPRequest(.get, requests[0].url, headers: ["Cookie": "a", "Key": "b"])
        #expect(CachedResponse.Key(two) == CachedResponse.Key(HTTPRequest(.get, requests[0].url, headers: ["key": "b", "cookie": "a"])))
    }

    @Test(arguments: ["Cookie", "X-Api-Key", "X-Session-Id", "Authorization", "userinfo"])
    func `One user is never shown what was stored for another`(name: String) throws {
        let server = try running(
            .get("/me") { request in .json([request.headers[name] ?? request.headers["Authorization"] ?? "nobody"]) })
        let cache = MemoryResponseCache()
        func me(_ user: String) -> Observable<[String]> {
            let isUserinfo = name == "userinfo"
            let url = "http://\(isUserinfo ? "bob:\(user)@" : "")127.0.0.1:\(server.port)/me"
            return URLChain(transport: transport).cached(in: cache, .first, varying: []).headers(isUserinfo ? [:] : [name: user])
                .route(.get, url).output([String].self).stream()
        }
        let anne = me("anne").ended().elements
        #expect(anne.count == 1)
        let eve = me("eve").ended().elements
        #expect(eve.count == 1 && eve != anne)
        #expect(me("eve").ended().elements == eve + eve)
    }

    @Test func `A request with no-store is not stored`() throws {
        let request = HTTPRequest(.get, try "http://h/".url(), headers: ["Cache-Control": "no-store"])
        #expect(CachedResponse(HTTPResponse(head: HTTPResponse.Head(status: 200, url: request.url)), to: request) == nil)
    }

    @Test func `Empty responses count towards the memory limit`() throws {
        let cache = MemoryResponseCache(limit: 100_000)
        let empty = CachedResponse(status: 204, headers: ["X": String(repeating: "x", count: 1_000)], body: Data())
        for number in 0..<1_000 {
            _ = cache.store(empty, for: CachedResponse.Key(HTTPRequest(.get, try "http://h/\(number)".url()))).ended()
        }
        #expect(cache.bytes <= 100_000)
        #expect(cache.bytes > 50_000)
    }

    @Test func `Reader and saver agree on keys with headers from providers, and languages are separate`() throws {
        let language = BehaviorRelay(value: "eo")
        struct Language: HeaderProvider {
            let language: BehaviorRelay<String>
            func headers() -> HTTPHeaders { ["Accept-Language": language.value] }
        }
        let server = try running(.get("/teas") { request in .json([request.headers["Accept-Language"]]) })
        let teas = URLChain(transport: transport).cached(in: MemoryResponseCache(), .first).headers(Language(language: language))
            .route(.get, try server.baseURL + "teas").output([String].self)
        #expect(teas.stream().ended().elements == [["eo"]])
        #expect(teas.stream().ended().elements == [["eo"], ["eo"]])
        language.accept("da")
        #expect(teas.stream().ended().elements == [["da"]])
    }

    @Test func `Headers listed in Vary separate requests`() throws {
        let server = try running(.get("/teas") { request in .json([request.headers["X-Cup"] ?? ""]).header("Vary", "X-Cup") })
        let cache = MemoryResponseCache()
        let url = try server.baseURL + "teas"
        func teas(_ cup: String) -> Observable<[String]> {
            chain(url, cache, .first).headers(["X-Cup": cup]).output([String].self).stream()
        }
        #expect(teas("big").ended().elements == [["big"]])
        #expect(teas("small").ended().elements == [["small"]])
        #expect(teas("small").ended().elements == [["small"], ["small"]])
    }

    @Test func `The memory cache evicts the least recently used response`() throws {
        let cache = MemoryResponseCache(limit: 310_000)
        let keys = try (0..<4).map { CachedResponse.Key(HTTPRequest(.get, try "http://h/\($0)".url())) }
        func response(_ count: Int) -> CachedResponse { CachedResponse(status: 200, headers: [:], body: Data(count: count)) }
        for key in keys[..<3] { _ = cache.store(response(100_000), for: key).ended() }
        _ = cache.response(for: keys[0]).ended()
        _ = cache.store(response(100_000), for: keys[3]).ended()
        #expect(
            try keys.map { try cache.response(for: $0).ended().one() != nil } == [true, false, true, true])
        _ = cache.store(response(310_001), for: keys[0]).ended()
        #expect(try cache.response(for: keys[0]).ended().one() == nil)
        #expect((200_000..<210_000).contains(cache.bytes))
    }

    @Test func `The policies work with any streams`() {
        struct Failed: Error {}
        #expect(Observable.just("new").precededByCached(Observable.just("old")).ended().elements == ["old", "new"])
        #expect(Observable.just("new").precededByCached(Observable<String>.error(Failed())).ended().elements == ["new"])
        let lost = Observable<String>.error(TechnicalError.connectionLost(""))
        #expect(lost.ifConnectionFails(use: Observable.just("old")).ended().elements == ["old"])
        #expect(lost.ifConnectionFails(use: Observable<String>.error(Failed())).ended().error is TechnicalError)
        #expect(Observable<String>.error(Failed()).ifConnectionFails(use: Observable.just("old")).ended().error is Failed)
    }

    @Test func `A response belongs to the body of its request`() throws {
        let url = try "http://example.com/search".url()
        let bodies: [HTTPRequest.Body] = [
            .none, .data(Data("ann".utf8)), .data(Data("bob".utf8)), .pieces([.data(Data("ann".utf8)), .data(Data())]),
        ]
        #expect(Set(bodies.map { CachedResponse.Key(HTTPRequest(.get, url, body: $0)) }).count == bodies.count)
        #expect(!HTTPRequest(.get, url, body: .file(URL(filePath: "/a"))).isCacheable)
        #expect(HTTPRequest(.get, url, body: bodies[1]).isCacheable)
    }
}
