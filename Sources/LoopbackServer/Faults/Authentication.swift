import Foundation
import Streams

extension LoopbackServer {
    /// Access control by bearer tokens whose lifetime the test controls.
    ///
    /// Tokens are called `access-1`, `access-2`, ... A protected route responds with 401 to anything but the current token. The refresh
    /// route issues the next one. The test can expire the token, limit the number of its uses, make refreshes fail, and read the counts.
    ///
    ///     let gate = LoopbackServer.TokenGate()
    ///     server.add(gate.protect(.get("/me") { _ in .text("me") }), gate.refreshRoute())
    ///     gate.expire()
    public final class TokenGate: Sendable {
        fileprivate struct State: Sendable {
            var generation = 1
            var isExpired = false
            var uses = 0
            var usesAllowed: Int?
            var refreshFailure: Int?
            var counts = TokenCounts()
        }

        private let rejection: Response
        private let checksRefreshToken: Bool
        private let state = Lock(State())

        /// Creates token-based access control.
        /// - Parameters:
        ///   - usesPerToken: the number of requests that a token is valid for; `nil` for any number.
        ///   - rejection: the response to a request without the current token.
        ///   - checksRefreshToken: whether a refresh must carry the current refresh token as `{"refreshToken": "refresh-1"}`; each refresh
        ///     issues a new one, so that a refresh repeated with the old one fails with 401.
        public init(
            usesPerToken: Int? = nil, rejection: Response = .text("The token is not valid.\n", status: 401),
            checksRefreshToken: Bool = false
        ) {
            self.rejection = rejection
            self.checksRefreshToken = checksRefreshToken
            state.withLock { $0.usesAllowed = usesPerToken }
        }

        /// The number of requests and refreshes so far.
        public var counts: TokenCounts { state.withLock { $0.counts } }

        /// The current tokens, expired or not.
        public var tokens: Tokens { state.withLock { $0.tokens } }

        /// Invalidates the current token until the next refresh.
        public func expire() {
            state.withLock { $0.isExpired = true }
        }

        /// Makes every refresh fail with this status; `nil` lets them succeed again.
        public func failRefreshes(with status: Int?) {
            state.withLock { $0.refreshFailure = status }
        }

        /// Returns `route` protected by the current token.
        public func protect(_ route: Route) -> Route {
            route.guarded { [self] request in
                state.withLock { $0.admit(request.bearerToken) } ? nil : rejection
            }
        }

        /// Returns the route that issues the next token, as JSON `Tokens`.
        public func refreshRoute(_ path: String = "/token/refresh") -> Route {
            .post(path) { [self] request in
                let refreshToken = try? request.json(as: [String: String].self)["refreshToken"]
                return state.withLock { state in
                    state.refresh(isAllowed: !checksRefreshToken || refreshToken == state.tokens.refreshToken)
                }
            }
        }
    }

    /// The response of the refresh route.
    public struct Tokens: Codable, Sendable, Equatable {
        /// The token for requests.
        public let accessToken: String
        /// The token for the next refresh.
        public let refreshToken: String
    }

    /// The number of requests and refreshes so far.
    public struct TokenCounts: Sendable, Equatable {
        /// Requests with the current token.
        public internal(set) var accepted = 0
        /// Requests without a token or with another one.
        public internal(set) var rejected = 0
        /// Refreshes that issued a new token.
        public internal(set) var refreshes = 0
        /// Refreshes that were refused.
        public internal(set) var failedRefreshes = 0
    }
}

extension LoopbackServer.TokenGate.State {
    fileprivate var tokens: LoopbackServer.Tokens {
        LoopbackServer.Tokens(accessToken: "access-\(generation)", refreshToken: "refresh-\(generation)")
    }

    fileprivate mutating func admit(_ token: String?) -> Bool {
        guard token == tokens.accessToken, !isExpired, uses < usesAllowed ?? .max else {
            counts.rejected += 1
            return false
        }
        uses += 1
        counts.accepted += 1
        return true
    }

    fileprivate mutating func refresh(isAllowed: Bool) -> LoopbackServer.Response {
        if let status = refreshFailure ?? (isAllowed ? nil : 401) {
            counts.failedRefreshes += 1
            return .text("The refresh is refused.\n", status: status)
        }
        generation += 1
        uses = 0
        isExpired = false
        counts.refreshes += 1
        return .json(tokens)
    }
}

extension LoopbackServer.Route {
    /// Returns this route restricted to the given user; all others receive 401 with a `Basic` challenge.
    public func requiringBasic(user: String, password: String, realm: String = "loopback") -> LoopbackServer.Route {
        let expected = Data("\(user):\(password)".utf8)
        return guarded { request in
            let credentials = request.credentials(scheme: "basic").flatMap { Data(base64Encoded: $0) }
            guard credentials != expected else { return nil }
            return .text("User name and password required.\n", status: 401).header("WWW-Authenticate", "Basic realm=\"\(realm)\"")
        }
    }
}
