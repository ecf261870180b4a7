import Foundation
import Streams

/// The names whose values are secret: of headers, query items, JSON members, XML elements and form fields.
///
/// Their values are redacted in logs, error messages, recordings and curl commands; secret headers are not sent to another origin on a
/// redirect, are not stored in caches, and are part of cache keys. Names are compared without case and punctuation: `X-Api-Key`,
/// `x_api_key` and `xApiKey` are the same. When in doubt a name is secret: any that contains `token`, `secret` or `session`, and any with a
/// word such as `key` or `auth`.
///
/// ```swift
/// SecretNames.add("X-Tenant", "license")          // once, before the first request
/// ```
public enum SecretNames {
    /// Added names, without case and punctuation.
    private static let added = Lock(Set<String>())

    /// Matched anywhere in a name, across word boundaries.
    private static let fragments = [
        "token", "secret", "password", "passwd", "passwort", "passphrase", "passcode", "apikey", "authorization", "cookie", "session",
        "sessid", "signature", "credential", "bearer", "jwt", "privatekey", "accesskey", "signingkey", "assertion", "verifier",
    ]

    /// Matched against whole words of a name.
    private static let words: Set<String> = [
        "key", "keys", "sig", "auth", "oauth", "authentication", "pin", "otp", "totp", "mfa", "pwd", "pass", "pw", "sid", "csrf", "xsrf",
        "hmac",
        "dpop", "saml", "cvv", "cvc",
    ]

    /// Declares further names as secret, in this process, from now on. This cannot be undone.
    ///
    /// Thread-safe.
    ///
    /// - Parameter names: complete names, compared without case and punctuation.
    public static func add(_ names: String...) {
        let plain = names.map { words(of: $0).joined() }.filter { !$0.isEmpty }
        added.withLock { $0.formUnion(plain) }
    }

    /// Returns whether values of this name are secret.
    ///
    /// Complexity: O(n) in the length of the name.
    public static func contains(_ name: String) -> Bool {
        let parts = words(of: name)
        let plain = parts.joined()
        return fragments.contains { plain.contains($0) } || (parts + [plain]).contains { words.contains($0) }
            || added.withLock { !$0.isEmpty && $0.contains(plain) }
    }

    /// Returns the words of a name in lower case: `X-Api-Key`, `xApiKey` and `XAPIKey` have three.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            let isPart = character.isLetter || character.isNumber
            let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
            let beginsWord = character.isUppercase && index > 0 && (characters[index - 1].isLowercase || isBeforeSmall)
            if !isPart || beginsWord, !word.isEmpty {
                words.append(word)
                word = ""
            }
            if isPart { word += character.lowercased() }
        }
        return word.isEmpty ? words : words + [word]
    }
}

/// Values that are known to be secret, to be redacted wherever they occur.
///
/// Values of fewer than six bytes are excluded, because they occur everywhere by coincidence.
struct SecretValues: Sendable {
    private static let shortest = 6
    /// Words that precede a secret but are not secret themselves.
    private static let schemes: Set<String> = ["bearer", "digest", "negotiate"]

    private var known: Set<[UInt8]> = []
    /// The values by their first six bytes, the longest first, because one may be a prefix of another.
    private var byPrefix: [UInt64: [[UInt8]]] = [:]

    /// Adds a value and its percent-decoded form.
    mutating func insert(_ value: [UInt8]) {
        insertExactly(value)
        guard let text = String(validating: value, as: UTF8.self) else { return }
        if text.utf8.contains(UInt8(ascii: "%")), let decoded = text.removingPercentEncoding { insertExactly(Array(decoded.utf8)) }
        insertExactly(Array(text.percentEncoded.utf8))
    }

    private mutating func insertExactly(_ value: [UInt8]) {
        guard value.count >= Self.shortest, value != Array(Redactor.mark.utf8), !known.contains(value),
            !Self.schemes.contains(String(decoding: value, as: UTF8.self).lowercased())
        else { return }
        known.insert(value)
        let prefix = value.prefix(Self.shortest).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let values = byPrefix[prefix, default: []]
        let place = values.firstIndex { $0.count < value.count } ?? values.endIndex
        byPrefix[prefix, default: []].insert(value, at: place)
    }

    /// Removes a value.
    mutating func remove(_ value: [UInt8]) {
        guard known.remove(value) != nil else { return }
        for prefix in byPrefix.keys { byPrefix[prefix]?.removeAll { $0 == value } }
    }

    /// Returns these bytes with every known value replaced by the mark.
    ///
    /// Complexity: O(n) in the bytes, independent of the number of values, as long as few have the same prefix.
    func replaced(in bytes: [UInt8]) -> [UInt8] {
        guard !known.isEmpty, bytes.count >= Self.shortest else { return bytes }
        var result: [UInt8] = []
        var copied = 0
        var position = 0
        var prefix: UInt64 = 0
        for index in 0..<(Self.shortest - 1) { prefix = prefix << 8 | UInt64(bytes[index]) }
        while position + Self.shortest <= bytes.count {
            prefix = (prefix << 8 | UInt64(bytes[position + Self.shortest - 1])) & 0xFFFF_FFFF_FFFF
            guard let match = byPrefix[prefix]?.first(where: { bytes[position...].starts(with: $0) }) else {
                position += 1
                continue
            }
            result += bytes[copied..<position] + Redactor.mark.utf8
            position += match.count
            copied = position
            guard position + Self.shortest <= bytes.count else { break }
            for index in position..<(position + Self.shortest - 1) { prefix = prefix << 8 | UInt64(bytes[index]) }
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }
}

extension CharacterSet {
    /// The characters that never need to be escaped in a URL.
    static let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
