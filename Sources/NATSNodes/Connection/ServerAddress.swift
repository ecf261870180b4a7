import Foundation
internal import HTTPMessages

/// The address of a server, and the credentials that its URL carries.
struct ServerAddress: Sendable, Hashable {
    static let defaultPort = 4222

    var host: String
    var port = defaultPort
    /// Whether the scheme asks for TLS.
    var requiresTLS = false
    var user: String?
    var password: String?

    /// The name of the server in texts, without user and password.
    var name: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether both addresses lead to the same server.
    func isSame(as other: ServerAddress) -> Bool {
        host == other.host && port == other.port
    }
}

extension ServerAddress {
    /// Parses `nats://user:password@host:port`, `tls://host`, `host:port`, or several of them with commas in between.
    static func parseList(_ text: String) throws(NATSError) -> [ServerAddress] {
        var addresses: [ServerAddress] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            addresses.append(try ServerAddress(parsing: part.trimmingCharacters(in: .whitespaces)))
        }
        return addresses
    }

    /// - Throws: ``NATSError/invalidURL(_:reason:)``, whose text contains neither user nor password.
    init(parsing text: String) throws(NATSError) {
        let shown = "\"\(redactedURL(text))\""
        guard !text.isEmpty else { throw .invalidURL("\"\"", reason: "it is empty") }
        let hasScheme = text.contains("://")
        let url = URL(lenient: hasScheme ? text : "nats://\(text)")
        guard let components = url.flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: false) }) else {
            throw .invalidURL(shown, reason: "it is not a URL")
        }
        switch components.scheme?.lowercased() {
        case "nats": requiresTLS = false
        case "tls": requiresTLS = true
        default: throw .invalidURL(shown, reason: "its scheme is neither nats nor tls")
        }
        // The name as the DNS knows it: `host` has the letters that such a name stands for.
        guard var host = components.encodedHost?.removingPercentEncoding, !host.isEmpty else {
            throw .invalidURL(shown, reason: "it has no host")
        }
        guard ["", "/"].contains(components.path), components.query == nil, components.fragment == nil else {
            throw .invalidURL(shown, reason: "it has a path or a query")
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        self.host = host
        port = components.port ?? Self.defaultPort
        guard (1...65_535).contains(port) else { throw .invalidURL(shown, reason: "its port is not between 1 and 65535") }
        user = components.user
        password = components.password
    }
}

/// The servers that a connection may use, in the order in which they are tried.
struct ServerPool: Sendable {
    /// The maximum number of servers that a cluster may announce. Further servers are ignored, since each server is tried before a delay.
    static let maximumDiscovered = 256

    private(set) var addresses: [ServerAddress]
    private let given: [ServerAddress]
    private var next = 0

    init(_ addresses: [ServerAddress]) {
        self.addresses = addresses
        given = addresses
    }

    var count: Int { addresses.count }

    /// Takes the server of the next attempt.
    mutating func take() -> ServerAddress {
        defer { next = (next + 1) % addresses.count }
        return addresses[next % addresses.count]
    }

    /// Updates the servers that the cluster announces. Configured servers stay; servers that are no longer announced are removed.
    ///
    /// Discovered servers get the credentials and the security of `current`, which announced them.
    mutating func discover(_ names: [String], from current: ServerAddress) {
        guard !names.isEmpty else { return }
        let upcoming = addresses[next % addresses.count]
        var discovered: [ServerAddress] = []
        var known = Set(given.map(\.name))
        // Even a list that only repeats servers is not read to its end.
        for name in names.prefix(4 * Self.maximumDiscovered) where discovered.count < Self.maximumDiscovered {
            guard var address = try? ServerAddress(parsing: name), known.insert(address.name).inserted else { continue }
            (address.user, address.password, address.requiresTLS) = (current.user, current.password, current.requiresTLS)
            discovered.append(address)
        }
        addresses = given + discovered
        next = addresses.firstIndex { $0.isSame(as: upcoming) } ?? 0
    }
}
