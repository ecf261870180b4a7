import Foundation

/// The parts of a URL as a message and a connection need them.
extension URL {
    /// The port, which is that of http or https if none is written.
    package var effectivePort: Int { port ?? usualPort }

    private var usualPort: Int { scheme?.lowercased() == "https" ? 443 : 80 }

    /// The host for connecting: without percent encoding, and an IPv6 address without brackets.
    ///
    /// Foundation has converted a name with letters beyond ASCII to the one that the DNS knows, unless it was written in percent encoding.
    /// Such a name stays as it is, and is rejected, as in libcurl.
    package var plainHost: String? {
        guard let host = host(percentEncoded: false) else { return nil }
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// The host, with a port that is not that of the scheme, as the field `Host` has them. The zone of an address means something to this
    /// machine only.
    package var hostField: String {
        let host = bracketed(String((plainHost ?? "").prefix { $0 != "%" }))
        return effectivePort == usualPort ? host : "\(host):\(effectivePort)"
    }

    /// Whether a value of the field `Host` names the server of this URL, with its port or without a usual one.
    package func isNamed(byHost field: String) -> Bool {
        let host = bracketed((plainHost ?? "").lowercased())
        return field == "\(host):\(effectivePort)" || effectivePort == usualPort && field == host
    }

    /// Path and query without `.` and `..`, percent-encoded.
    package var requestTarget: String {
        let path = standardized.path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (query(percentEncoded: true).map { "?\($0)" } ?? "")
    }

    /// The value of `Authorization` for the user of the URL.
    package var basicCredentials: String? {
        guard let user = user(percentEncoded: false) else { return nil }
        return "Basic " + Data("\(user):\(password(percentEncoded: false) ?? "")".utf8).base64EncodedString()
    }

    /// Returns this URL with the user and the password of another one, if it has none of its own.
    package func adoptingUser(of other: URL) -> URL {
        guard user(percentEncoded: true) == nil, let user = other.user(percentEncoded: true) else { return self }
        let password = other.password(percentEncoded: true).map { ":\($0)" } ?? ""
        let text = absoluteString
        guard let slashes = text.firstRange(of: "//") else { return self }
        return URL(lenient: text[..<slashes.upperBound] + "\(user)\(password)@" + text[slashes.upperBound...]) ?? self
    }
}

/// Scheme, host and port, which identify a server.
package struct Origin: Hashable, Sendable {
    package let scheme: String?
    package let host: String?
    package let port: Int

    package init(_ url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.plainHost?.lowercased()
        port = url.effectivePort
    }
}

/// Returns a host as it is written before a port, with an IPv6 address in brackets.
package func bracketed(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
}
