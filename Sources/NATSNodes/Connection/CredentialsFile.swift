import Foundation

/// A credentials file of the NATS tools, with a JWT and the seed of a key.
///
/// Source: [NATS, credentials files](https://docs.nats.io/using-nats/developer/connecting/creds).
struct CredentialsFile: Sendable {
    private static let sizeLimit = 64 * 1024

    let token: String
    private let seed: String

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

    /// The proof that the file contains.
    var proof: IdentityProof { .jwt(token, seed: seed) }

    init(parsing text: String) throws(NATSError) {
        guard let token = Self.section("NATS USER JWT", of: text) else { throw .invalidCredentials(reason: "the file has no user's JWT") }
        guard let seed = Self.section("USER NKEY SEED", of: text) else { throw .invalidCredentials(reason: "the file has no seed") }
        // Later, an error about the seed could not name the file any more.
        _ = try NKeySeed(parsing: seed)
        (self.token, self.seed) = (token, seed)
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
