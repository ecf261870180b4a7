import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// What a server says about its stored responses: which fields a 304 updates, and what may be used without asking.
@Suite("Confirmation of stored responses", .onOneThread, .countsResources)
struct CacheConfirmationTests {
    private static let url = "http://h/"
    /// Each answer is given once; then the network is gone.
    private func chain(
        _ cache: any ResponseCache, _ policy: CachedResponse.Policy, _ answers: [(status: Int, headers: HTTPHeaders, body: String)]
    )
        -> URLChain<Routed, Void>
    {
        let rest = Lock(answers)
        let transport = StubTransport { request in
            guard let answer = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                throw TransportError.networkUnreachable(url: Self.url)
            }
            return .text(answer.body, status: answer.status, headers: answer.headers, to: request)
        }
        return URLChain(transport: transport).cached(in: cache, policy).route(.get, Self.url)
    }

    @Test(
        arguments: [
            ("Content-Type", true), ("Content-Language", true), ("Content-Location", true), ("Content-Disposition", true),
            ("Content-Security-Policy", true), ("Content-MD5", true), ("ETag", true), ("Date", true), ("Expires", true),
            ("Cache-Control", true), ("Vary", true), ("X-Other", true), ("Age", true), ("Content-Length", false),
            ("Content-Encoding", false), ("Content-Range", false), ("Transfer-Encoding", false), ("Connection", false),
            ("Keep-Alive", false),
            ("Upgrade", false), ("X-Hop", false), ("Proxy-Authenticate", false),
        ])
    func `A 304 updates each field except those of the connection and of the body as it was sent`(name: String, isUpdated: Bool) throws {
        var first: HTTPHeaders = ["ETag": "\"1\"", "Connection": "X-Hop"]
        first[name] = name == "ETag" ? "\"1\"" : "old"
        var second: HTTPHeaders = ["Connection": "x-hop"]
        second[name] = "new"
        let cache = MemoryResponseCache()
        let response = chain(cache, .revalidate, [(200, first, "body"), (304, second, "")]).response
        #expect(response.stream().ended().elements.first?.headers[name] == first[name])
        let confirmed = try #require(response.stream().ended().elements.first)
        #expect(confirmed.body == Data("body".utf8))
        #expect(confirmed.headers[name] != nil || !isUpdated)
        #expect((confirmed.headers[name] == "new") == isUpdated)
        let stored = cache.response(for: CachedResponse.Key(HTTPRequest(.get, try Self.url.url()))).ended().elements.first ?? nil
        #expect(stored?.headers[name] == confirmed.headers[name])
    }

    @Test func `A cookie of a 304 is delivered, and not stored`() throws {
        let cache = MemoryResponseCache()
        let answers: [(status: Int, headers: HTTPHeaders, body: String)] = [
            (200, ["ETag": "\"1\"", "Age": "60"], "body"), (304, ["Set-Cookie": "a=b"], ""),
        ]
        let response = chain(cache, .revalidate, answers).response
        #expect(response.stream().ended().elements.first?.headers["Age"] == "60")
        let confirmed = try #require(response.stream().ended().elements.first)
        #expect(confirmed.head.cookies.map(\.value) == ["b"])
        #expect(confirmed.headers["Age"] == nil)
        let stored = cache.response(for: CachedResponse.Key(HTTPRequest(.get, try Self.url.url()))).ended().elements.first ?? nil
        #expect(stored?.headers.map(\.name) == ["ETag"])
    }

    /// The headers of a response that was stored so many seconds ago, of the next request, and whether the response may be used for it.
    private static let rows: [(stored: HTTPHeaders, age: TimeInterval, asked: HTTPHeaders, isUsed: Bool)] = [
        ([:], 1000, [:], true),
        (["Cache-Control": "max-age=60"], 1000, [:], true),
        (["Cache-Control": "private, max-age=60, stale-if-error=1"], 1000, [:], true),
        (["Cache-Control": "no-cache"], 0, [:], false),
        (["Cache-Control": "max-age=60, No-Cache"], 0, [:], false),
        (["Cache-Control": "no-cache=\"Set-Cookie, X\""], 0, [:], false),
        (["Cache-Control": "x=\"a, no-cache\""], 0, [:], true),
        (["Cache-Control": "x-no-cache"], 0, [:], true),
        (["Cache-Control": "must-revalidate"], 0, [:], false),
        (["Cache-Control": "max-age=0, private, must-revalidate"], 0, [:], false),
        (["Cache-Control": "max-age=60, must-revalidate"], 50, [:], true),
        (["Cache-Control": "max-age=60, must-revalidate"], 70, [:], false),
        (["Cache-Control": "max-age=60, must-revalidate"], -10, [:], false),
        (["Cache-Control": "must-revalidate , MAX-AGE = \"60\""], 50, [:], true),
        (["Cache-Control": "max-age=1e9, must-revalidate"], 0, [:], false),
        (["Cache-Control": "max-age=60, must-revalidate, max-age=1000"], 70, [:], false),
        (["Cache-Control": "max-age=60, must-revalidate", "Age": "20"], 50, [:], false),
        (["Cache-Control": "max-age=60, must-revalidate", "Age": "20"], 30, [:], true),
        (
            ["Cache-Control": "must-revalidate", "Date": "Thu, 01 Jan 1970 00:16:40 GMT", "Expires": "Thu, 01 Jan 1970 00:17:40 GMT"], 50,
            [:], true
        ),
        (
            ["Cache-Control": "must-revalidate", "Date": "Thu, 01 Jan 1970 00:16:40 GMT", "Expires": "Thu, 01 Jan 1970 00:17:40 GMT"], 70,
            [:], false
        ),
        (["Cache-Control": "must-revalidate", "Expires": "0"], 0, [:], false),
        (["Cache-Control": "max-age=60, must-revalidate", "Expires": "0"], 50, [:], true),
        (["Cache-Control": "max-age=60, must-revalidate", "Date": "Thu, 01 Jan 1970 00:16:00 GMT"], 50, [:], false),
        // For caches that several users share.
        (["Cache-Control": "s-maxage=0, proxy-revalidate, public"], 1000, [:], true),
        (["Cache-Control": "s-maxage=1000, max-age=60, must-revalidate"], 70, [:], false),
        ([:], 0, ["Cache-Control": "no-cache"], false),
        ([:], 1000, ["Cache-Control": "max-age=0"], true),
    ]

    @Test(arguments: rows.indices)
    func `A response is used without the server only if the server allows that`(index: Int) throws {
        let row = Self.rows[index]
        let stored = CachedResponse(status: 200, headers: row.stored, body: Data(), date: Date(timeIntervalSince1970: 1000))
        let request = HTTPRequest(.get, try Self.url.url(), headers: row.asked)
        #expect(stored.mayBeUsedUnconfirmed(for: request, at: stored.date + row.age) == row.isUsed, "\(row)")
    }

    @Test(arguments: ["", "no-cache", "must-revalidate"])
    func `What the server has to confirm is neither emitted first nor when the connection fails, and is revalidated`(control: String) throws
    {
        let headers: HTTPHeaders = ["ETag": "\"1\"", "Cache-Control": control]
        let isUsed = control.isEmpty
        for policy in [CachedResponse.Policy.first, .ifConnectionFails] {
            let data = chain(MemoryResponseCache(), policy, [(200, headers, "body"), (304, headers, "")]).data
            let body = Data("body".utf8)
            #expect(data.stream().ended().elements == [body])
            let isFirst = if case .first = policy { true } else { false }
            #expect(data.stream().ended().elements == (isFirst && isUsed ? [body, body] : [body]))
            let lost = data.stream().ended()
            #expect(lost.elements == (isUsed ? [body] : []))
            #expect((lost.error is TechnicalError) == (isFirst || !isUsed))
        }
    }

    @Test func `A reader misses what the server has to confirm`() throws {
        let cache = MemoryResponseCache()
        let request = HTTPRequest(.get, try Self.url.url())
        let stored = CachedResponse(status: 200, headers: ["Cache-Control": "no-cache"], body: Data())
        _ = cache.store(stored, for: CachedResponse.Key(request)).ended()
        #expect(Observable.just(request).cached(in: cache).ended().error as? CachedResponse.Failure == .miss(url: Self.url))
    }

    @Test(arguments: [("no-store", false), ("private, no-store", false), ("x=\"no-store\"", true), ("no-store-please", true)])
    func `The directive no-store is not a part of another`(control: String, isStored: Bool) throws {
        let request = HTTPRequest(.get, try Self.url.url())
        let told = HTTPResponse(head: HTTPResponse.Head(status: 200, headers: ["Cache-Control": control], url: request.url))
        #expect((CachedResponse(told, to: request) != nil) == isStored)
    }
}
