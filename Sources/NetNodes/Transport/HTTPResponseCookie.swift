internal import Bytes
public import Foundation

extension HTTPResponse {
    /// A cookie that a response sets.
    ///
    /// Source: [RFC 6265, 5.2](https://www.rfc-editor.org/rfc/rfc6265#section-5.2).
    public struct Cookie: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value, as it is sent back.
        public var value: String
        /// The domain whose hosts get the cookie; `nil` means only the host of the response.
        public var domain: String?
        /// The path under which the cookie is sent; `nil` means that of the response.
        public var path: String?
        /// The time for which the cookie is kept, from the response on; it has precedence over ``expires``.
        public var maximumAge: Duration?
        /// The time at which the cookie expires; `nil` means the end of the session.
        public var expires: Date?
        /// Whether the cookie is sent over TLS only.
        public var isSecure: Bool
        /// Whether scripts of a page cannot read the cookie.
        public var isHTTPOnly: Bool
        /// The rule for requests from other sites; `nil` if the response has none.
        public var sameSite: CookieJar.SameSite?

        /// Parses the value of a `Set-Cookie` field; returns `nil` if it has no name.
        public init?(_ field: String) {
            let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            let pair = Self.pair(parts[0])
            guard let value = pair.value, !pair.name.isEmpty else { return nil }
            (name, self.value) = (pair.name, value)
            (isSecure, isHTTPOnly) = (false, false)
            for part in parts.dropFirst() { read(part) }
        }

        private mutating func read(_ attribute: Substring.UTF8View) {
            let pair = Self.pair(attribute)
            let value = pair.value ?? ""
            switch pair.name.lowercased() {
            case "domain": if !value.isEmpty { domain = Self.domain(value) }
            case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : nil
            case "max-age": maximumAge = Self.age(value) ?? maximumAge
            case "expires": expires = httpDate(value) ?? expires
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "samesite": sameSite = CookieJar.SameSite(rawValue: value.lowercased())
            default: break
            }
        }

        /// Splits at the first `=`. Only blanks and tabs around a name or a value do not belong to it.
        private static func pair(_ text: Substring.UTF8View) -> (name: String, value: String?) {
            let parts = text.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            func trimmed(_ part: Substring.UTF8View) -> String { String(Substring(part.trimmingBlanks)) }
            return (trimmed(parts[0]), parts.count == 2 ? trimmed(parts[1]) : nil)
        }

        /// Returns a domain without its first dot; `nil` if nothing is left, which means the host of the response.
        private static func domain(_ value: String) -> String? {
            let domain = value.utf8.first == UInt8(ascii: ".") ? value.dropFirst() : value[...]
            return domain.isEmpty ? nil : domain.lowercased()
        }

        /// Returns the time of an integer, however long, and no time if it is negative; `nil` for any other text.
        private static func age(_ value: String) -> Duration? {
            let isNegative = value.utf8.first == UInt8(ascii: "-")
            let digits = value.utf8.dropFirst(isNegative ? 1 : 0)
            guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return isNegative ? .zero : .seconds(min(Int64(value) ?? longestAge, longestAge))
        }

        /// The longest age, 400 days in seconds: no browser keeps a cookie for longer.
        private static let longestAge: Int64 = 400 * 24 * 60 * 60
    }
}

extension CookieJar {
    /// The rule by which a cookie is sent with requests from other sites.
    public enum SameSite: String, Sendable {
        /// Sends the cookie only with requests of the same site.
        case strict
        /// Sends the cookie also with requests by which a user comes from another site.
        case lax
        /// Sends the cookie with all requests, over TLS.
        case none
    }
}

extension HTTPResponse.Cookie: RedactedDescription {
    /// The name and the scope of the cookie, without the value.
    public var description: String { "\(name)=\(Redactor.mark)" + (domain.map { "; Domain=\($0)" } ?? "") }
}

extension HTTPResponse.Head {
    /// The cookies that the response sets, in order. A ``CookieJar`` keeps them.
    public var cookies: [HTTPResponse.Cookie] { headers.values("Set-Cookie").compactMap { HTTPResponse.Cookie($0) } }
}

extension HTTPHeaders {
    /// Returns the `Authorization` field of a user with a password. If the user contains a colon, the server takes the text after it as the
    /// password.
    ///
    /// Source: [RFC 7617, 2](https://www.rfc-editor.org/rfc/rfc7617#section-2).
    public static func basicAuthorization(user: String, password: String) -> HTTPHeaders {
        ["Authorization": "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()]
    }
}
