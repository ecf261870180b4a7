import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// What identifies the target of a request, and what a response may depend on besides.
@Suite("Targets of stored responses", .countsResources, .stopsServers, .blocksThread)
struct CacheTargetTests {
    private func request(_ field: HTTPHeaders, _ url: String = "http://a.example/", body: HTTPRequest.Body = .none) throws -> HTTPRequest {
        HTTPRequest(.get, try url.url(), headers: field, body: body)
    }

    @Test(arguments: [
        ("http://a.example/", "a.example", false), ("http://a.example/", "A.Example", false),
        ("http://a.example/", "a.example:80", false),
        ("http://a.example:80/", "a.example", false), ("https://a.example/", "a.example:443", false),
        ("http://a.example:8080/", "a.example:8080", false), ("http://[::1]:81/", "[::1]:81", false),
        ("http://a.example/", "b.example", true), ("http://a.example/", "", true), ("http://a.example/", "a.example:81", true),
        ("http://a.example:8080/", "a.example", true), ("https://a.example/", "a.example:80", true),
        ("http://a.example/", "a.example, b.example", true), ("http://a.example/", "a.example/x", true),
        ("http://a.example/", "a.example.evil", true), ("http://127.0.0.1/", "localhost", true), ("http://[::1]:81/", "[::1]", true),
    ])
    func `A Host belongs to the target: it is part of the key if it names another server than the URL`(
        url: String, host: String, isOther: Bool
    ) throws {
        let key = CachedResponse.Key(try request(["Host": host], url))
        #expect((key != CachedResponse.Key(try request([:], url))) == isOther)
        #expect(key == CachedResponse.Key(try request(["host": host.uppercased()], url)))
        #expect(key != CachedResponse.Key(try request(["Host": "c.example"], url)))
    }

    /// How a field of a request takes part in finding a stored response.
    enum Part: CaseIterable {
        /// Different values have different keys.
        case always
        /// The same, for a request with a body.
        case describesBody
        /// Only a `Vary` of the response separates the values.
        case varied
        /// A request with this field is not answered from a cache.
        case prevents
    }

    @Test(
        arguments: [
            ("Authorization", Part.always), ("Cookie", .always), ("Proxy-Authorization", .always), ("X-Api-Key", .always),
            ("Host", .always),
            ("Accept", .always), ("Accept-Language", .always), ("Accept-Encoding", .always), ("Content-Type", .describesBody),
            ("Content-Encoding", .describesBody), ("Content-Language", .describesBody), ("Content-Length", .varied),
            ("Accept-Charset", .varied), ("User-Agent", .varied), ("Referer", .varied), ("Origin", .varied), ("Prefer", .varied),
            ("X-Tenant", .varied), ("Cache-Control", .varied), ("If-None-Match", .varied), ("If-Modified-Since", .varied),
            ("If-Match", .varied), ("Range", .prevents),
        ])
    func `Each field of a request separates stored responses where it can change them`(name: String, part: Part) throws {
        let bodies: [HTTPRequest.Body] = [.none, .data(Data("{}".utf8))]
        for body in bodies {
            let requests = try [request([:], body: body), request([name: "1"], body: body), request([name: "2"], body: body)]
            let isRelevant = part == .always || part == .describesBody && body != .none
            #expect(Set(requests.map { CachedResponse.Key($0, varying: ["Accept", "Accept-Language"]) }).count == (isRelevant ? 3 : 1))
            #expect(requests.map(\.isCacheable) == [true, part != .prevents, part != .prevents])
            guard part != .prevents else { continue }
            let response = HTTPResponse(head: HTTPResponse.Head(status: 200, headers: ["Vary": name], url: requests[0].url))
            let stored = try #require(CachedResponse(response, to: requests[1]))
            #expect(requests.map(stored.answers) == [false, true, false])
        }
    }

    @Test(arguments: [CachedResponse.Policy.revalidate, .first, .ifConnectionFails])
    func `A response of one virtual host is not given to another`(policy: CachedResponse.Policy) throws {
        // All have the same validator.
        let server = try running(
            .get("/h") { request in
                let tag = "\"1\""
                let isKnown = request.headers["If-None-Match"] == tag
                return (isKnown ? LoopbackServer.Response.empty(304) : .text(request.headers["Host"] ?? "")).header("ETag", tag)
            })
        let transport = CurlTransport()
        let (cache, url) = (MemoryResponseCache(), try server.baseURL + "h")
        func get(_ host: String?) -> [String] {
            let headers: HTTPHeaders = host.map { ["Host": $0] } ?? [:]
            return URLChain(transport: transport).cached(in: cache, policy).headers(headers).route(.get, url).data.stream()
                .ended().elements.map { String(decoding: $0, as: UTF8.self) }
        }
        let own = "127.0.0.1:\(server.port)"
        for _ in 0..<2 {
            for (host, expected) in [("a.example", "a.example"), ("b.example", "b.example"), (nil, own), (own, own)] {
                #expect(Set(get(host)) == [expected])
            }
        }
    }

    @Test func `A recording is played to the virtual host that it was recorded from`() throws {
        let recorder = RecordingTransport(StubTransport { .text($0.headers["Host"] ?? "none", to: $0) })
        let requests = try [request([:]), request(["Host": "b.example"]), request(["Host": "c.example"])]
        for request in requests { #expect(recorder.response(to: request).ended().error == nil) }
        let replay = ReplayTransport(recorder.recording)
        func answer(_ request: HTTPRequest) -> String? {
            replay.response(to: request).ended().elements.first.map { String(decoding: $0.body, as: UTF8.self) }
        }
        #expect(requests.reversed().map(answer) == ["c.example", "b.example", "none"])
        #expect(answer(try request(["Host": "A.example:80"])) == "none")
        #expect(answer(try request(["Host": "d.example"])) == nil)
    }
}
