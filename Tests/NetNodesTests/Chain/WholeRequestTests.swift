import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// The example of `Docs/NetNodes.md`: a bearer token with refresh, a cache, retry, and dates.
@Suite("A whole request", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct WholeRequestTests {
    struct Token: Codable, Sendable { let accessToken: String }
    struct Order: Codable, Sendable, Equatable { let name: String, createdAt: Date }

    @Test func `A request with a token that is refreshed, a cache, retry, and dates`() throws {
        let old = #"{"name": "tea", "created_at": "2026-11-23T00:00:00Z"}"#
        let server = try running(
            .script(
                "GET", "/orders", LoopbackServer.Script([.empty(401), .empty(503), .text("[\(old)]").header("ETag", "\"1\""), .empty(304)])),
            .post("/token") { _ in .json(["access_token": "fresh"]) })
        let base = server.baseURL
        let api = URLChain(transport: CurlTransport())
        let policy = RetryPolicy.transient(initial: .milliseconds(1))

        let session = BehaviorRelay(value: "expired")
        let tokens = TokenRefresherNode(chain: api.route(.post, try base + "token").output(Token.self)) { session.accept($0.accessToken) }
        let bearer = HTTPMiddleware("Bearer") { request, next in
            var request = request
            request.headers["Authorization"] = "Bearer \(session.value)"
            return next(request)
        }

        let orders = api.refreshingAccess(with: tokens)  // around what adds the token
            .inserting(bearer)
            .retry(policy)
            .cached(in: MemoryResponseCache())
            .decoder { .iso8601 }
            .route(.get, try base + "orders").output([Order].self)

        #expect(orders.description.hasPrefix("decodeResponse > refreshing > completing > Bearer > retry > "))
        let expected = [Order(name: "tea", createdAt: try Date("2026-11-23T00:00:00Z", strategy: .iso8601))]
        #expect(orders.stream().ended().elements == [expected])
        #expect(orders.stream().ended().elements == [expected])
        let sent = server.recordedRequests
        #expect(sent.map(\.path) == ["/orders", "/token", "/orders", "/orders", "/orders"])
        #expect(sent.map { $0.headers["Authorization"] } == ["Bearer expired", nil] + [String?](repeating: "Bearer fresh", count: 3))
        #expect(sent.last?.headers["If-None-Match"] == "\"1\"")
    }
}

extension JSONDecoder {
    fileprivate static var iso8601: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
