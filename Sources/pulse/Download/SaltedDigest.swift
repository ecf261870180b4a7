import NetNodes

/// A digest by which a text can be recognized, but not read. Its salt prevents that guessed texts are looked up in a table made in advance.
struct SaltedDigest: CustomStringConvertible {
    private let salt: String
    private let digest: String

    /// Creates the digest of a text, with a new salt.
    init(of text: String) {
        salt = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        digest = Self.digest(text, salt)
    }

    /// Reads the description of a digest; `nil` if it is none.
    init?(_ description: String) {
        let parts = description.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].count == 64 else { return nil }
        (salt, digest) = (String(parts[0]), String(parts[1]))
    }

    var description: String { "\(salt) \(digest)" }

    func isOf(_ text: String) -> Bool { digest == Self.digest(text, salt) }

    private static func digest(_ text: String, _ salt: String) -> String { SHA256.hexadecimal(of: "\(salt) \(text)".utf8) }
}
