internal import Streams

/// The names whose values are secret: of headers, query items, JSON members, XML elements and form fields.
///
/// Their values are redacted in logs, error messages, recordings and curl commands. Secret headers are not sent to another origin on a
/// redirect, are not stored in caches, and are part of cache keys. Names are compared without case, punctuation and numbers: `X-Api-Key`,
/// `x_api_key`, `xApiKey` and `apiKey2` are the same. When in doubt a name is secret:
///
/// - any name that contains `token`, `secret` or `session`,
/// - any name with a word such as `key` or `auth`,
/// - any word that ends with such a word, such as `authkey`.
///
/// Not secret are the registered header fields that only have such a name, such as `Access-Control-Allow-Credentials`.
///
/// ```swift
/// SecretNames.add("X-Tenant", "license")          // once, before the first request
/// ```
public enum SecretNames {
    /// The added names, without case and punctuation.
    private static let added = Lock(Set<String>())

    /// Texts that are matched anywhere in a name, across word boundaries.
    private static let fragments = [
        "token", "secret", "passw", "passphrase", "passcode", "pincode", "pwd", "apikey", "authorization", "cookie", "session", "sessid",
        "signature", "credential", "bearer", "jwt", "privatekey", "accesskey", "signingkey", "assertion", "verifier",
    ]

    /// Words that are matched against whole words of a name.
    private static let words: Set<String> = [
        "key", "keys", "sig", "auth", "oauth", "authentication", "pin", "otp", "totp", "mfa", "pass", "pw", "sid", "csrf", "xsrf",
        "hmac", "dpop", "saml", "cvv", "cvc",
    ]

    /// Texts that are matched at the end of words: `authkey`, `dbpass`.
    private static let endings = ["key", "keys", "pass", "auth", "otp", "hmac", "csrf"]
    /// Words that only seem to end like that.
    private static let harmless: Set<String> = [
        "monkey", "donkey", "turkey", "hockey", "jockey", "whiskey", "lackey", "hotkey", "compass", "bypass", "trespass", "surpass",
        "encompass", "overpass", "underpass",
    ]

    /// Whole names that contain such a word, of header fields and their directives: their values are flags, public keys, nonces, identifiers
    /// or lists of names.
    ///
    /// Source: [HTTP Field Name Registry](https://www.iana.org/assignments/http-fields/http-fields.xhtml).
    private static let harmlessNames = Set(
        [
            "Accept-Signature", "Access-Control-Allow-Credentials", "Authentication-Control", "DPoP-Nonce", "Idempotency-Key",
            "Include-Referred-Token-Binding-ID", "Public-Key-Pins", "Public-Key-Pins-Report-Only", "Sec-WebSocket-Key", "Signature-Input",
            "Surrogate-Key", "identity-credentials-get", "otp-credentials", "publickey-credentials-create", "publickey-credentials-get",
        ].map { words(of: $0).joined() })

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
        if added.withLock({ !$0.isEmpty && $0.contains(plain) }) { return true }
        guard fragments.contains(where: { plain.contains($0) }) || (parts + [plain]).contains(where: isSecret) else { return false }
        return !harmlessNames.contains(plain)
    }

    private static func isSecret(_ word: String) -> Bool {
        if words.contains(word) { return true }
        let singular = word.hasSuffix("s") ? String(word.dropLast()) : word
        return endings.contains(where: word.hasSuffix) && !harmless.contains(word) && !harmless.contains(singular)
    }

    /// Returns the words and numbers of a name in lower case: `X-Api-Key`, `xApiKey` and `XAPIKey` have three, `key2` has two.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            let isPart = character.isLetter || character.isNumber
            let previous = index > 0 ? characters[index - 1] : character
            let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
            let beginsWord = character.isUppercase && (previous.isLowercase || isBeforeSmall) || character.isNumber != previous.isNumber
            if !isPart || beginsWord, !word.isEmpty {
                words.append(word)
                word = ""
            }
            if isPart { word += character.lowercased() }
        }
        return word.isEmpty ? words : words + [word]
    }
}
