public import Foundation

/// A cookie that a response sets.
///
/// Source: [RFC 6265, 5.2](https://www.rfc-editor.org/rfc/rfc6265#section-5.2).
public struct ResponseCookie: Sendable, Hashable {
    /// The rule by which a cookie is sent with requests from other sites.
    public enum SameSite: String, Sendable {
        /// Sends the cookie only with requests of the same site.
        case strict
        /// Sends the cookie also with requests by which a user comes from another site.
        case lax
        /// Sends the cookie with all requests, over TLS.
        case none
    }

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
    public var sameSite: SameSite?

    /// Parses the value of a `Set-Cookie` field; returns `nil` if it has no name.
    public init?(_ field: String) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, case let name = pair[0].trimmingCharacters(in: .whitespaces), !name.isEmpty else { return nil }
        self.name = name
        value = pair[1].trimmingCharacters(in: .whitespaces)
        (isSecure, isHTTPOnly) = (false, false)
        for part in parts.dropFirst() { read(part) }
    }

    private mutating func read(_ attribute: String) {
        let pair = attribute.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = pair.count == 2 ? pair[1].trimmingCharacters(in: .whitespaces) : ""
        switch pair[0].trimmingCharacters(in: .whitespaces).lowercased() {
        case "domain": domain = value.isEmpty ? domain : String(value.drop { $0 == "." }).lowercased()
        case "path": path = value.hasPrefix("/") ? value : nil
        case "max-age": maximumAge = Int64(value).map { .seconds(max(0, min($0, Self.longestAge))) } ?? maximumAge
        case "expires": expires = httpDate(value) ?? expires
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = SameSite(rawValue: value.lowercased())
        default: break
        }
    }

    /// The longest age, 400 days in seconds: no browser keeps a cookie for longer.
    private static let longestAge: Int64 = 400 * 24 * 60 * 60
}

extension ResponseCookie: RedactedDescription {
    /// The name and the scope of the cookie, without the value.
    public var description: String { "\(name)=\(Redactor.mark)" + (domain.map { "; Domain=\($0)" } ?? "") }
}

extension HTTPResponseHead {
    /// The cookies that the response sets, in order. They are not kept: a request sends those of its own `Cookie` field.
    public var cookies: [ResponseCookie] { headers.values("Set-Cookie").compactMap { ResponseCookie($0) } }
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

/// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, also with hyphens and a year of two digits; returns `nil` for any other text.
///
/// Source: [RFC 6265, 5.1.1](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.1).
func httpDate(_ text: String) -> Date? {
    let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    var (day, month, year, time) = (Int32?.none, Int32?.none, Int32?.none, [Int32]?.none)
    for word in text.lowercased().split(whereSeparator: { " ,-".contains($0) }) {
        let numbers = word.split(separator: ":").compactMap { Int32($0) }
        if time == nil, numbers.count == 3 {
            time = numbers
        } else if month == nil, let index = months.firstIndex(of: String(word.prefix(3))) {
            month = Int32(index)
        } else if let number = Int32(word) {
            if day == nil, word.count <= 2 { day = number } else { year = year ?? number }
        }
    }
    guard let day, let month, var year, let time, (1...31).contains(day), time[0] < 24, time[1] < 60, time[2] < 61 else { return nil }
    if year < 100 { year += year < 70 ? 2000 : 1900 }
    guard (1601...9999).contains(year) else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month, day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (time[0], time[1], time[2])
    return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
}
