import Foundation
import Streams

/// Access by bearer tokens whose life the test decides on.
///
/// Tokens are called `access-1`, `access-2`, ... A protected route answers anything but the current token with 401. The refresh route hands out the
/// next one. Whoever runs the test expires the token, lets it serve a number of requests only, makes refreshes fail, and counts.
///
///     let gate = TokenGate()
///     server.add(gate.protect(.get("/me") { _ in .text("me") }), gate.refreshRoute())
///     gate.expire()
public final class TokenGate: Sendable {
    /// What was counted so far.
    public struct Counts: Sendable, Equatable {
        /// Requests that had the current token.
        public internal(set) var accepted = 0
        /// Requests without a token or with another one.
        public internal(set) var rejected = 0
        /// Refreshes that gave a new token.
        public internal(set) var refreshes = 0
        /// Refreshes that were refused.
        public internal(set) var failedRefreshes = 0
    }

    fileprivate struct State: Sendable {
        var generation = 1
        var isExpired = false
        var uses = 0
        var usesAllowed: Int?
        var refreshFailure: Int?
        var counts = Counts()
    }

    /// What the refresh route answers.
    public struct Tokens: Codable, Sendable, Equatable {
        /// The token for requests.
        public let accessToken: String
        /// The token for the next refresh.
        public let refreshToken: String
    }

    private let rejection: ServerResponse
    private let checksRefreshToken: Bool
    private let state = Lock(State())

    /// Makes a gate.
    /// - Parameters:
    ///   - usesPerToken: how many requests a token is good for; `nil` for any number.
    ///   - rejection: what a request without the current token gets.
    ///   - checksRefreshToken: whether a refresh must carry the current refresh token as `{"refreshToken": "refresh-1"}`; each refresh makes a
    ///     new one, so that a refresh that was repeated with the old one fails with 401.
    public init(
        usesPerToken: Int? = nil, rejection: ServerResponse = .text("The token is not valid.\n", status: 401),
        checksRefreshToken: Bool = false
    ) {
        self.rejection = rejection
        self.checksRefreshToken = checksRefreshToken
        state.withLock { $0.usesAllowed = usesPerToken }
    }

    /// What was counted so far.
    public var counts: Counts { state.withLock { $0.counts } }

    /// The tokens that are current, expired or not.
    public var tokens: Tokens { state.withLock { $0.tokens } }

    /// Makes the current token worthless until the next refresh.
    public func expire() {
        state.withLock { $0.isExpired = true }
    }

    /// Makes every refresh fail with this status; `nil` lets them succeed again.
    public func failRefreshes(with status: Int?) {
        state.withLock { $0.refreshFailure = status }
    }

    /// The route behind the gate.
    public func protect(_ route: ServerRoute) -> ServerRoute {
        route.guarded { [self] request in
            state.withLock { $0.admit(request.bearerToken) } ? nil : rejection
        }
    }

    /// The route that hands out the next token, as JSON `Tokens`.
    public func refreshRoute(_ path: String = "/token/refresh") -> ServerRoute {
        .post(path) { [self] request in
            let refreshToken = try? request.json(as: [String: String].self)["refreshToken"]
            return state.withLock { state in
                state.refresh(isAllowed: !checksRefreshToken || refreshToken == state.tokens.refreshToken)
            }
        }
    }
}

extension TokenGate.State {
    fileprivate var tokens: TokenGate.Tokens {
        TokenGate.Tokens(accessToken: "access-\(generation)", refreshToken: "refresh-\(generation)")
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

    fileprivate mutating func refresh(isAllowed: Bool) -> ServerResponse {
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
