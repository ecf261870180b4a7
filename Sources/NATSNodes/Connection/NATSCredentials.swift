import Foundation
public import Streams

/// The proof of identity that a program gives to a server.
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

    /// Returns the credentials of a token.
    public static func token(_ token: String) -> NATSCredentials {
        NATSCredentials(kind: .token(token))
    }

    /// Returns the credentials of a user with a password.
    public static func user(_ user: String, password: String) -> NATSCredentials {
        NATSCredentials(kind: .user(user, password: password))
    }

    /// Returns the credentials of a user's NKey, whose seed begins with `SU`: it signs the server's question, and is not sent.
    ///
    /// CryptoKit makes the signatures; on Linux, the system's libcrypto (OpenSSL 1.1.1 or later) does. Without it, or if the seed is not
    /// valid, connecting fails with ``NATSError/invalidCredentials(reason:)``.
    public static func key(seed: String) -> NATSCredentials {
        NATSCredentials(kind: .key(seed: seed))
    }

    /// Returns the credentials of a user's JWT and the seed of the user's key, which signs as with ``key(seed:)``: the contents of a
    /// credentials file, from elsewhere.
    public static func jwt(_ token: String, seed: String) -> NATSCredentials {
        NATSCredentials(kind: .jwt(token, seed: seed))
    }

    /// Returns the credentials in a file with a user's JWT and the seed of the user's key. The file has at most 64 KB and is read for each
    /// connection.
    ///
    /// The key signs as with ``key(seed:)``. ``NATSError/invalidCredentials(reason:)`` names the file, and quotes nothing of it.
    public static func file(_ url: URL) -> NATSCredentials {
        NATSCredentials(kind: .file(url))
    }

    /// Returns credentials that are obtained anew for each connection, such as a token that expires.
    ///
    /// - Parameter provider: makes a stream, whose first element is used; `TokenRefresherNode` makes one that refreshes once for all.
    public static func refreshed(_ provider: @escaping @Sendable () -> Observable<NATSCredentials>) -> NATSCredentials {
        NATSCredentials(kind: .refreshed(provider))
    }
}

extension NATSCredentials: RedactedDescription {
    /// The kind of the credentials only.
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
}

extension NATSCredentials {
    /// The credentials themselves, for one connection.
    var resolved: Observable<NATSCredentials> {
        guard case .refreshed(let provider) = kind else { return .just(self) }
        return Observable.deferred { provider() }.take(1).flatMap { $0.resolved }
    }

    /// The secrets that no text may quote.
    var secrets: [String] {
        switch kind {
        case .token(let token): [token]
        case .user(_, let password): [password]
        case .key(let seed): [seed]
        case .jwt(let token, let seed): [token, seed]
        case .file, .refreshed: []
        }
    }

    /// Adds the credentials to the request with which a client introduces itself.
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
