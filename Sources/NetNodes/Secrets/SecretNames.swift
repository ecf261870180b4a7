import Streams

/// The one list of names whose values are secret, for headers, query items, members of JSON, elements of XML and fields of forms alike.
///
/// What has such a name is redacted in logs, error texts, recordings and curl commands; such a header does not follow a redirect to another
/// origin, is not kept by a cache, and makes cache keys differ. Names are compared without regard to case and punctuation: `X-Api-Key`,
/// `x_api_key` and `xApiKey` are one. When in doubt a name is secret: any that contains `token`, `secret` or `session`, and any that has a
/// word such as `key` or `auth`, is.
///
/// ```swift
/// SecretNames.add("X-Tenant", "licence")          // once, before the first request
/// ```
public enum SecretNames {
    /// Names that were added, without case and punctuation.
    private static let added = Lock(Set<String>())

    /// Anywhere in a name, across its words.
    private static let fragments = [
        "token", "secret", "password", "passwd", "passwort", "passphrase", "passcode", "apikey", "authorization", "cookie", "session",
        "sessid", "signature", "credential", "bearer", "jwt", "privatekey", "accesskey", "signingkey", "assertion", "verifier",
    ]

    /// A whole word of a name.
    private static let words: Set<String> = [
        "key", "keys", "sig", "auth", "oauth", "authentication", "pin", "otp", "totp", "mfa", "pwd", "pass", "pw", "sid", "csrf", "xsrf",
        "hmac",
        "dpop", "saml", "cvv", "cvc",
    ]

    /// Makes more names secret, in this process, from now on. A name cannot be taken back: what is secret stays so.
    ///
    /// Callable from any thread.
    ///
    /// - Parameter names: whole names, compared without regard to case and punctuation.
    public static func add(_ names: String...) {
        let plain = names.map { words(of: $0).joined() }.filter { !$0.isEmpty }
        added.withLock { $0.formUnion(plain) }
    }

    /// Whether the value of a thing of this name is secret.
    ///
    /// Complexity: linear in the length of the name.
    public static func contains(_ name: String) -> Bool {
        let parts = words(of: name)
        let plain = parts.joined()
        return fragments.contains { plain.contains($0) } || (parts + [plain]).contains { words.contains($0) }
            || added.withLock { !$0.isEmpty && $0.contains(plain) }
    }

    /// The words of a name in lower case: `X-Api-Key`, `xApiKey` and `XAPIKey` have three.
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
