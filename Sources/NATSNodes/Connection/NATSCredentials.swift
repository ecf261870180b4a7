import Foundation
public import Streams

/// How a program proves to a server who it is.
///
/// Neither descriptions nor errors of this package quote any of it.
public struct NATSCredentials: Sendable {
    enum Kind: Sendable {
        case token(String)
        case user(String, password: String)
        case key(seed: String)
        case jwt(String, seed: String)
        case file(URL)
        case refreshed(@Sendable () -> Observable<NATSCredentials>)
    }

    let kind: Kind

    /// A token.
    public static func token(_ token: String) -> NATSCredentials {
        NATSCredentials(kind: .token(token))
    }

    /// A user and a password.
    public static func user(_ user: String, password: String) -> NATSCredentials {
        NATSCredentials(kind: .user(user, password: password))
    }

    /// The seed of a user's NKey, which begins with `SU`: it signs what the server asks, and is not sent.
    ///
    /// Signatures are those of CryptoKit, and on Linux of the system's libcrypto (OpenSSL 1.1.1 or later). Without it, and with a seed that is none,
    /// connecting fails with ``NATSError/invalidCredentials(reason:)``.
    public static func key(seed: String) -> NATSCredentials {
        NATSCredentials(kind: .key(seed: seed))
    }

    /// A user's JWT, and the seed of the user's key, which signs as that of ``key(seed:)`` does: what a credentials file has, from elsewhere.
    public static func jwt(_ token: String, seed: String) -> NATSCredentials {
        NATSCredentials(kind: .jwt(token, seed: seed))
    }

    /// A file with a user's JWT and the seed of the user's key, of at most 64 KB, read for each connection.
    ///
    /// The key signs as that of ``key(seed:)`` does. ``NATSError/invalidCredentials(reason:)`` names the file, and quotes nothing of it.
    public static func file(_ url: URL) -> NATSCredentials {
        NATSCredentials(kind: .file(url))
    }

    /// Credentials that are obtained anew for each connection: those of a token that expires.
    ///
    /// - Parameter provider: makes a stream, whose first element counts; `TokenRefresherNode` makes one that refreshes once for all.
    public static func refreshed(_ provider: @escaping @Sendable () -> Observable<NATSCredentials>) -> NATSCredentials {
        NATSCredentials(kind: .refreshed(provider))
    }
}

extension NATSCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind only.
    public var description: String {
        switch kind {
        case .token: "token"
        case .user: "user and password"
        case .key: "key"
        case .jwt: "JWT and key"
        case .file: "credentials file"
        case .refreshed: "refreshed credentials"
        }
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}

extension NATSCredentials {
    /// The credentials themselves, for one connection.
    var resolved: Observable<NATSCredentials> {
        guard case .refreshed(let provider) = kind else { return .just(self) }
        return Observable.deferred { provider() }.take(1).flatMap { $0.resolved }
    }

    /// What no text may quote.
    var secrets: [String] {
        switch kind {
        case .token(let token): [token]
        case .user(_, let password): [password]
        case .key(let seed): [seed]
        case .jwt(let token, let seed): [token, seed]
        case .file, .refreshed: []
        }
    }

    /// Adds the credentials to what a client says of itself.
    func authorize(_ request: inout ConnectRequest, nonce: String?) throws(NATSError) {
        switch kind {
        case .token(let token): request.token = token
        case .user(let user, let password): (request.user, request.password) = (user, password)
        case .key(let seed):
            let key = try NKeySeed(parsing: seed)
            (request.nkey, request.signature) = (try key.publicKey, try key.signature(of: nonce ?? ""))
        case .jwt(let token, let seed):
            (request.jwt, request.signature) = (token, try NKeySeed(parsing: seed).signature(of: nonce ?? ""))
        case .file(let url):
            (request.jwt, request.signature) = try CredentialsFile.answer(to: nonce ?? "", from: url)
        case .refreshed: throw .invalidCredentials(reason: "they were not obtained")
        }
    }
}
