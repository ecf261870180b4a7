public import Foundation
internal import HTTPMessages

/// Returns a URL without user, password, fragment and query values, for error messages and logs.
extension URL {
    /// The text of this URL without user, password, fragment, the values of its query and secret parameters of its path, with control
    /// characters escaped. Logs and errors show its first 120 characters.
    public var redactedDescription: String { redactedDescription(showing: []) }

    /// Returns the same text with the values of these names in the query, unless a name or a value is secret (``SecretNames``).
    public func redactedDescription(showing names: Set<String>) -> String {
        URLParts.withoutSecrets(absoluteString, showing: names).controlsEscaped
    }
}

/// Returns a URL without its secrets, like ``Foundation/URL/redactedDescription``, truncated: for error texts and logs.
///
/// - Parameter names: the names in the query whose values are shown, unless they are secret.
package func redacted(_ url: URL, showing names: Set<String> = []) -> String {
    URLParts.withoutSecrets(url.absoluteString, showing: names).escapedForDisplay
}

/// Returns the text of a URL, or of a text that should have been one, without user, password, fragment and the values of its query,
/// truncated.
package func redactedURL(_ text: String) -> String { URLParts.withoutSecrets(text).escapedForDisplay }

extension Redactor {
    /// Returns the text of a URL without user, password, fragment and secret query values, for recordings and curl commands.
    package func redacted(url text: String) -> String {
        let (address, query) = URLParts.split(text)
        let path = redacted(text: URLParts.withoutSecretParameters(address))
        guard let query else { return path }
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map { redacted(text: String($0)) }
        return path + "?" + items.joined(separator: "&")
    }
}

private enum URLParts {
    static func withoutSecrets(_ text: String, showing shown: Set<String> = []) -> String {
        guard !isPlain(text) else { return text }
        let (address, query) = split(text)
        guard let query else { return withoutSecretParameters(address) }
        let names = query.split(separator: "&").map { item -> Substring in
            guard let equals = item.firstIndex(of: "=") else { return Redactor.mark[...] }
            let name = item[..<equals]
            guard shown.contains(String(name)) else { return name + "=\(Redactor.mark)" }
            return Redactor().redacted(text: String(item))[...]
        }
        return withoutSecretParameters(address) + "?" + names.joined(separator: "&")
    }

    /// Whether the text has no place for a secret. Splitting a text costs more than all other messages in the log of a request.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !places.contains($0) }
    }

    /// The characters that begin or end a part of a URL that may be secret.
    private static let places = Set("?#@;".utf8)

    /// Splits a text into the part before the query, without user and password, and the query.
    ///
    /// In a text that is not a URL, anything before an `@` may be a password, because the beginning of the host is unknown.
    static func split(_ text: String) -> (address: String, query: Substring?) {
        guard let url = URL(lenient: text), let host = url.host(), !host.isEmpty else {
            let rest = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text[...]
            let scheme = rest.startIndex == text.startIndex ? "" : text.firstRange(of: "://").map { String(text[..<$0.upperBound]) } ?? ""
            let (address, query) = cut(rest)
            return (scheme + address, query)
        }
        let (address, query) = cut(text[...])
        guard let authority = address.range(of: "//") else { return (String(address), query) }
        let end = address[authority.upperBound...].firstIndex { "/\\".contains($0) } ?? address.endIndex
        guard let at = address[authority.upperBound..<end].lastIndex(of: "@") else { return (String(address), query) }
        return (String(address[..<authority.upperBound] + address[address.index(after: at)...]), query)
    }

    private static func cut(_ text: Substring) -> (Substring, Substring?) {
        let parts = text.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts.first ?? "", parts.count == 2 ? parts[1] : nil)
    }

    /// Returns `/a;jsessionid=x/b` without secrets.
    static func withoutSecretParameters(_ address: String) -> String {
        guard address.contains(";") else { return address }
        return address.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.split(separator: ";", omittingEmptySubsequences: false).map { parameter in
                let name = String(parameter.prefix { $0 != "=" })
                return parameter.contains("=") && SecretNames.contains(name) ? "\(name)=\(Redactor.mark)" : String(parameter)
            }.joined(separator: ";")
        }.joined(separator: "/")
    }
}

extension URL {
    /// This URL without any secrets, even if its text cannot be changed in another way.
    package var withoutUser: URL {
        var components = URLComponents()
        (components.scheme, components.host, components.port) = (scheme, plainHost.map(bracketed), port)
        return components.url ?? URL(filePath: "/")
    }
}
