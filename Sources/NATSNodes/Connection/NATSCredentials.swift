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

    /// The secrets that no text may quote: for a file, those that it has now.
    var secrets: [String] {
        switch kind {
        case .token(let token): [token]
        case .user(_, let password): [password]
        case .key(let seed): [seed]
        case .jwt(let token, let seed): [token, seed]
        case .file(let url): (try? CredentialsFile(contentsOf: url)).map { [$0.token] } ?? []
        case .refreshed: []
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

/// A credentials file of the NATS tools, with a JWT and the seed of a key.
///
/// Source: [NATS, credentials files](https://docs.nats.io/using-nats/developer/connecting/creds).
struct CredentialsFile: Sendable {
    private static let sizeLimit = 64 * 1024

    let token: String
    let key: NKeySeed

    init(contentsOf url: URL) throws(NATSError) {
        let text = try Self.text(of: url)
        do throws(NATSError) { try self.init(parsing: text) } catch { throw error.naming(url) }
    }

    /// Reads a regular file only: a pipe would block the connection for ever, and a device would fill the memory.
    private static func text(of url: URL) throws(NATSError) -> String {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { if descriptor >= 0 { close(descriptor) } }
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidCredentials(reason: "the file \(url.path) cannot be read")
        }
        guard status.st_size <= sizeLimit else { throw .invalidCredentials(reason: "the file \(url.path) is too large") }
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0, let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw .invalidCredentials(reason: "the file \(url.path) cannot be read")
        }
        return text
    }

    /// Returns the file's token, and the signature of the server's question.
    static func answer(to nonce: String, from url: URL) throws(NATSError) -> (token: String, signature: String) {
        let file = try CredentialsFile(contentsOf: url)
        do throws(NATSError) { return (file.token, try file.key.signature(of: nonce)) } catch { throw error.naming(url) }
    }

    init(parsing text: String) throws(NATSError) {
        guard let token = Self.section("NATS USER JWT", of: text) else { throw .invalidCredentials(reason: "the file has no user's JWT") }
        guard let seed = Self.section("USER NKEY SEED", of: text) else { throw .invalidCredentials(reason: "the file has no seed") }
        self.token = token
        key = try NKeySeed(parsing: seed)
    }

    /// Returns the first line between two lines of dashes.
    private static func section(_ name: String, of text: String) -> String? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("---") && $0.contains("BEGIN \(name)") }) else { return nil }
        let content = lines[(start + 1)...].prefix { !$0.hasPrefix("---") }.filter { !$0.isEmpty }
        return content.count == 1 ? content.first : nil
    }
}

extension NATSError {
    /// Returns the error with the path of the file that you have to mend; it quotes nothing of the content.
    fileprivate func naming(_ file: URL) -> NATSError {
        guard case .invalidCredentials(let reason) = self else { return self }
        return .invalidCredentials(reason: "\(reason) (\(file.path))")
    }
}

/// The secrets that a connection was made with. A server may quote them; errors must not.
struct ConnectionSecrets: Sendable {
    /// Shorter secrets also occur in harmless words.
    private static let minimumLength = 4

    private let redactor: Redactor

    init(_ credentials: NATSCredentials?) {
        var values = SecretValues(shortest: Self.minimumLength)
        for secret in credentials?.secrets ?? [] { values.insert(Array(secret.utf8)) }
        redactor = Redactor(values)
    }

    func redact(_ text: String) -> String { redactor.redacted(text: text) }

    func redact(_ error: NATSProtocolError) -> NATSProtocolError {
        switch error {
        case .unknownOperation(let line): .unknownOperation(redact(line))
        case .malformedLine(let line): .malformedLine(redact(line))
        default: error
        }
    }
}
