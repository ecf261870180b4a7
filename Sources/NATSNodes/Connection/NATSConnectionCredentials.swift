import Foundation
public import Streams

extension NATSConnection {
    /// The proof of identity that a program gives to a server.
    ///
    /// Neither descriptions nor errors of this package quote any of it.
    public struct Credentials: Sendable {
        private enum Source: Sendable {
            case known(IdentityProof)
            case file(URL)
            case refreshed(@Sendable () -> Observable<Credentials>)
        }

        private let source: Source

        /// Returns the credentials of a token.
        public static func token(_ token: String) -> Credentials {
            Credentials(source: .known(.token(token)))
        }

        /// Returns the credentials of a user with a password.
        public static func user(_ user: String, password: String) -> Credentials {
            Credentials(source: .known(.user(user, password: password)))
        }

        /// Returns the credentials of a user's NKey, whose seed begins with `SU`: it signs the server's question, and is not sent.
        ///
        /// CryptoKit makes the signatures; on Linux, the system's libcrypto (OpenSSL 1.1.1 or later) does. Without it, or if the seed is
        /// not valid, connecting fails with ``NATSError/invalidCredentials(reason:)``.
        public static func key(seed: String) -> Credentials {
            Credentials(source: .known(.key(seed: seed)))
        }

        /// Returns the credentials of a user's JWT and the seed of the user's key, which signs as with ``key(seed:)``: the contents of a
        /// credentials file, from elsewhere.
        public static func jwt(_ token: String, seed: String) -> Credentials {
            Credentials(source: .known(.jwt(token, seed: seed)))
        }

        /// Returns the credentials in a file with a user's JWT and the seed of the user's key. The file has at most 64 KB and is read once
        /// for each connection, before it is made.
        ///
        /// The key signs as with ``key(seed:)``. If the file cannot be used, ``NATSError/invalidCredentials(reason:)`` names it, and quotes
        /// nothing of it.
        public static func file(_ url: URL) -> Credentials {
            Credentials(source: .file(url))
        }

        /// Returns credentials that are obtained anew for each connection, such as a token that expires.
        ///
        /// - Parameter provider: makes a stream, whose first element is used; `TokenRefresherNode` makes one that refreshes once for all.
        public static func refreshed(_ provider: @escaping @Sendable () -> Observable<Credentials>) -> Credentials {
            Credentials(source: .refreshed(provider))
        }
    }
}

extension NATSConnection.Credentials: RedactedDescription {
    /// The kind of the credentials only.
    public var description: String {
        switch source {
        case .known(let proof): proof.description
        case .file: "credentials file"
        case .refreshed: "refreshed credentials"
        }
    }
}

extension NATSConnection.Credentials {
    /// Emits the proof for one connection. A file is read here and nowhere else, so that the secrets that errors must not quote are those
    /// that the server gets.
    var proof: Observable<IdentityProof> {
        switch source {
        case .known(let proof): .just(proof)
        case .file(let url): .deferred { .just(try CredentialsFile(contentsOf: url).proof) }
        case .refreshed(let provider): Observable.deferred { provider() }.take(1).flatMap { $0.proof }
        }
    }
}

/// The proof of identity for one connection.
enum IdentityProof: Sendable {
    case token(String)
    case user(String, password: String)
    case key(seed: String)
    case jwt(String, seed: String)

    /// The secrets that no text may quote.
    var secrets: [String] {
        switch self {
        case .token(let token): [token]
        case .user(_, let password): [password]
        case .key(let seed): [seed]
        case .jwt(let token, let seed): [token, seed]
        }
    }

    /// Adds the proof to the request with which a client introduces itself.
    func authorize(_ request: inout ConnectRequest, nonce: String?) throws(NATSError) {
        switch self {
        case .token(let token): request.token = token
        case .user(let user, let password): (request.user, request.password) = (user, password)
        case .key(let seed):
            let key = try NKeySeed(parsing: seed)
            (request.nkey, request.signature) = (try key.publicKey, try key.signature(of: nonce ?? ""))
        case .jwt(let token, let seed):
            (request.jwt, request.signature) = (token, try NKeySeed(parsing: seed).signature(of: nonce ?? ""))
        }
    }
}

extension IdentityProof: RedactedDescription {
    /// The kind of the proof only.
    var description: String {
        switch self {
        case .token: "token"
        case .user: "user and password"
        case .key: "key"
        case .jwt: "JWT and key"
        }
    }
}

/// The secrets that a connection was made with. A server may quote them; errors must not.
struct ConnectionSecrets: Sendable {
    /// Shorter secrets also occur in harmless words.
    private static let minimumLength = 4

    private let redactor: Redactor

    init(_ proof: IdentityProof?) {
        var values = SecretValues(shortest: Self.minimumLength)
        for secret in proof?.secrets ?? [] { values.insert(Array(secret.utf8)) }
        redactor = Redactor(values)
    }

    func redact(_ text: String) -> String { redactor.redacted(text: text) }

    func redact(_ error: NATSError.ProtocolViolation) -> NATSError.ProtocolViolation {
        switch error {
        case .unknownOperation(let line): .unknownOperation(redact(line))
        case .malformedLine(let line): .malformedLine(redact(line))
        default: error
        }
    }
}
