internal import Bytes
public import Foundation

extension CookieJar {
    /// A cookie in a ``CookieJar``.
    public struct Cookie: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value, as it is sent.
        public let value: String
        /// The host that set the cookie, or the domain whose hosts get it; in lower case.
        public let domain: String
        /// Whether only the host named by ``domain`` gets the cookie.
        public let isHostOnly: Bool
        /// The path under which the cookie is sent.
        public let path: String
        /// The time at which the cookie expires; `nil` means the end of the session.
        public let expires: Date?
        /// Whether the cookie is sent over TLS only.
        public let isSecure: Bool
        /// Whether scripts of a page cannot read the cookie.
        public let isHTTPOnly: Bool
        /// The rule for requests from other sites. It is kept, and has no effect: these requests come from no site.
        public let sameSite: SameSite?
        /// The time at which the cookie was first set: a new value does not change it.
        public internal(set) var created: Date

        /// Whether the cookie has expired at a time.
        func isExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }

        /// Whether both are the same but for the time at which they were created.
        func isSame(as other: Cookie) -> Bool {
            var other = other
            other.created = created
            return self == other && value.utf8.elementsEqual(other.value.utf8)
        }
    }
}

extension CookieJar.Cookie: RedactedDescription {
    /// The name and the scope of the cookie, without the value.
    public var description: String { "\(name)=\(Redactor.mark); Domain=\(domain); Path=\(path)".controlsEscaped }
}

/// The server and the path of a request, as cookies know them.
struct CookieTarget {
    let host: String
    let path: String
    /// Whether the request is protected by TLS.
    let isSecure: Bool

    /// - Returns: `nil` for a URL without a host.
    init?(_ url: URL) {
        let origin = Origin(url)
        guard let host = origin.host, !host.isEmpty else { return nil }
        self.host = host
        path = String(url.requestTarget.prefix { $0 != "?" })
        isSecure = ["https", "wss"].contains(origin.scheme)
    }

    /// The path of a cookie that names none: that of the request up to its last slash.
    ///
    /// Source: [RFC 6265, 5.1.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.4).
    var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex, path.utf8.first == UInt8(ascii: "/") else {
            return "/"
        }
        return String(path[..<slash])
    }

    /// Whether the host belongs to a domain. An address belongs to itself only.
    ///
    /// Source: [RFC 6265, 5.1.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.3).
    func belongs(to domain: String) -> Bool {
        host == domain || !isAddress && host.utf8.count > domain.utf8.count && host.hasSuffix("." + domain)
    }

    /// Whether a cookie with this path is sent with the request.
    ///
    /// Source: [RFC 6265, 5.1.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.4).
    func isUnder(_ cookiePath: String) -> Bool { path.isUnder(cookiePath) }

    /// The host, and the domains that it belongs to.
    var domains: [String] {
        guard !isAddress else { return [host] }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }

    /// Whether the host is an address in any notation: its last part is a number, or it contains a colon.
    var isAddress: Bool {
        guard !host.contains(":") else { return true }
        guard let last = host.split(separator: ".").last else { return false }
        if last.utf8.allSatisfy(\.isDigit) { return true }
        return last.hasPrefix("0x") && last.utf8.dropFirst(2).allSatisfy { $0.hexadecimalValue != nil }
    }
}

extension String {
    /// Whether this path equals another one, or is below it.
    func isUnder(_ parent: String) -> Bool {
        guard utf8.starts(with: parent.utf8) else { return false }
        let rest = utf8.dropFirst(parent.utf8.count)
        return rest.isEmpty || parent.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
    }
}
