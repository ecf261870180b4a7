import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Scripts, tokens, caches and ranges", .countsResources, .stopsServers, .blocksThread)
struct AccessTests {
    @Test func `A script responds call by call and repeats its last response`() throws {
        let script = LoopbackServer.Script([.empty(503), .empty(429), .text("done")])
        let client = try connected(to: .script("GET", "/", script))
        #expect(try (0..<4).map { _ in try client.ask("/").status } == [503, 429, 200, 200])
        #expect(script.callCount == 4)
    }

    @Test func `A script can start over or fail at its end`() {
        let cycle = LoopbackServer.Script([.empty(200), .empty(500)], then: .repeatsAll)
        #expect((0..<4).map { _ in cycle.next().status } == [200, 500, 200, 500])
        let once = LoopbackServer.Script([.empty(200)], then: .fails)
        #expect((0..<2).map { _ in once.next().status } == [200, 500])
        #expect(LoopbackServer.Script([]).next().status == 500)
    }

    @Test func `Basic access requires user name and password`() throws {
        let client = try connected(to: LoopbackServer.Route.get("/") { _ in .text("in") }.requiringBasic(user: "ann", password: "a:b"))
        let refused = try client.ask("/")
        #expect(refused.status == 401)
        #expect(refused["WWW-Authenticate"] == "Basic realm=\"loopback\"")
        let credentials = Data("ann:a:b".utf8).base64EncodedString()
        #expect(try client.ask("/", headers: ["Authorization: basic \(credentials)"]).text == "in")
    }

    @Test func `A token is valid until it expires, and a refresh issues the next`() throws {
        let gate = LoopbackServer.TokenGate()
        let client = try connected(to: gate.protect(.get("/me") { _ in .text("me") }), gate.refreshRoute())
        #expect(try client.ask("/me").status == 401)
        #expect(try client.ask("/me", headers: ["Authorization: Bearer access-1"]).text == "me")
        gate.expire()
        #expect(try client.ask("/me", headers: ["Authorization: Bearer access-1"]).status == 401)
        let tokens = try JSONDecoder().decode(LoopbackServer.Tokens.self, from: client.ask("/token/refresh", method: "POST").body)
        #expect(tokens == gate.tokens)
        #expect(try client.ask("/me", headers: ["Authorization: Bearer \(tokens.accessToken)"]).text == "me")
        #expect(gate.counts == .init(accepted: 2, rejected: 2, refreshes: 1, failedRefreshes: 0))
    }

    @Test func `The uses of a token can be limited`() throws {
        let gate = LoopbackServer.TokenGate(usesPerToken: 2)
        let client = try connected(to: gate.protect(.get("/") { _ in .text("in") }))
        let statuses = try (0..<3).map { _ in try client.ask("/", headers: ["Authorization: Bearer access-1"]).status }
        #expect(statuses == [200, 200, 401])
    }

    @Test func `A refresh can be made to fail, and an old refresh token is rejected`() throws {
        let gate = LoopbackServer.TokenGate(checksRefreshToken: true)
        let client = try connected(to: gate.refreshRoute())
        let first = #"{"refreshToken":"refresh-1"}"#
        gate.failRefreshes(with: 503)
        #expect(try client.ask("/token/refresh", method: "POST", body: first).status == 503)
        gate.failRefreshes(with: nil)
        #expect(try client.ask("/token/refresh", method: "POST", body: first).status == 200)
        #expect(try client.ask("/token/refresh", method: "POST", body: first).status == 401)
        #expect(gate.counts.refreshes == 1)
    }

    @Test func `A known ETag is answered with 304`() throws {
        let client = try connected(to: LoopbackServer.Route.get("/") { _ in .text("same") }.conditional())
        let tag = try #require(try client.ask("/")["ETag"])
        #expect(try client.ask("/", headers: ["If-None-Match: \"other\", W/\(tag)"]).status == 304)
        #expect(try client.ask("/", headers: ["If-None-Match: \"other\""]).text == "same")
        #expect(try client.ask("/", headers: ["If-None-Match: \(tag)"])["ETag"] == tag)
    }

    @Test func `A known date is answered with 304`() throws {
        let date = "Fri, 20 Nov 2026 10:00:00 GMT"
        let client = try connected(to: LoopbackServer.Route.get("/") { _ in .text("same").header("Last-Modified", date) }.conditional())
        #expect(try client.ask("/", headers: ["If-Modified-Since: \(date)"]).status == 304)
        #expect(try client.ask("/", headers: ["If-Modified-Since: earlier"]).status == 200)
    }

    @Test func `A download is resumed`() throws {
        let client = try connected(
            to: LoopbackServer.Route.get("/text") { _ in .text("0123456789").header("ETag", "\"v1\"") }.resumable(),
            LoopbackServer.Route.get("/large") { _ in .generated(bytes: 200_000) }.resumable())
        let part = try client.ask("/text", headers: ["Range: bytes=4-6"])
        #expect(part.status == 206)
        #expect(part["Content-Range"] == "bytes 4-6/10")
        #expect(part.text == "456")
        #expect(try client.ask("/text", headers: ["Range: bytes=-3"]).text == "789")
        #expect(try client.ask("/text", headers: ["Range: bytes=8-"]).text == "89")
        #expect(try client.ask("/text", headers: ["Range: bytes=8-999"]).text == "89")
        #expect(try client.ask("/text", headers: ["Range: bytes=10-"]).status == 416)
        #expect(try client.ask("/text", headers: ["Range: nonsense"]).status == 200)
        #expect(try client.ask("/text", headers: ["Range: bytes=4-", "If-Range: \"v0\""]).text == "0123456789")
        #expect(try client.ask("/text", headers: ["Range: bytes=4-", "If-Range: \"v1\""]).text == "456789")
        let rest = try client.ask("/large", headers: ["Range: bytes=150000-"])
        #expect(rest.body == LoopbackServer.Response.generatedBytes(150_000..<200_000))
    }

    @Test(
        arguments: [
            ("\"v1\"", nil, "\"v1\"", true), ("\"v1\"", nil, "\"v2\"", false), ("\"v1\"", nil, "W/\"v1\"", false),
            ("W/\"v1\"", nil, "W/\"v1\"", false), ("W/\"v1\"", nil, "\"v1\"", false), ("\"v1\"", nil, "v1", false),
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", true),
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT", false), (nil, nil, "\"v1\"", false),
        ] as [(String?, String?, String, Bool)])
    func `A part is sent if If-Range names exactly this version, by a strong validator`(
        tag: String?, date: String?, condition: String, isPart: Bool
    ) throws {
        let route = LoopbackServer.Route.get("/") { _ in
            var response = LoopbackServer.Response.text("0123456789")
            (response.headers["ETag"], response.headers["Last-Modified"]) = (tag, date)
            return response
        }
        let answer = try connected(to: route.resumable()).ask("/", headers: ["Range: bytes=4-", "If-Range: \(condition)"])
        #expect(answer.status == (isPart ? 206 : 200) && answer.text == (isPart ? "456789" : "0123456789"))
    }

    @Test func `A gzip envelope has the checksum and length of the format`() throws {
        #expect(Gzip.checksum(Data("123456789".utf8)) == 0xcbf4_3926)
        let reply = try connected(to: .get("/") { _ in .text(String(repeating: "a", count: 70_000)).gzipped() }).ask("/")
        #expect(reply["Content-Encoding"] == "gzip")
        #expect(reply.body.count == 70_000 + 10 + 2 * 5 + 8)
    }
}
