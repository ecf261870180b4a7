import Foundation
internal import HTTPMessages

extension SocketConnection {
    /// The address to which a socket connects, and its security.
    public struct Endpoint: Sendable, Hashable {
        /// A name or an address; an IPv6 address has no brackets.
        public var host: String
        /// The TCP port.
        public var port: Int
        /// Whether the connection begins with TLS.
        public var security: Security

        /// Creates an endpoint; it is checked when a node connects to it.
        public init(host: String, port: Int, security: Security = .plain) {
            self.host = host
            self.port = port
            self.security = security
        }
    }

    /// The security of the bytes.
    public enum Security: Sendable, Hashable {
        /// The bytes travel as they are.
        case plain
        /// The bytes are encrypted. The server's certificate is verified unless the options say otherwise.
        case tls(TLSOptions = TLSOptions())
    }
}

extension SocketConnection.Endpoint: CustomStringConvertible {
    /// `tcp://host:port` or `tls://host:port`, as errors and logs show it. If the host is not valid, parts that may be a password are left
    /// out.
    public var description: String { "\(scheme)://\(authority(of: redactedURL(host)))" }

    private var scheme: String { security == .plain ? "tcp" : "tls" }

    /// Returns the URL for libcurl, which uses TLS for one of the two schemes.
    func address(named name: String) -> String { "\(security == .plain ? "http" : "https")://\(authority(of: name))" }

    private func authority(of name: String) -> String { "\(bracketed(name)):\(port)" }

    /// - Throws: `TransportError.invalidURL`.
    func validate() throws(TransportError) {
        guard !host.isEmpty else { throw .invalidURL(description, reason: "it has no host") }
        guard (1...65_535).contains(port) else { throw .invalidURL(description, reason: "the port is not between 1 and 65535") }
        try validate(name: host)
        if case .tls(let options) = security, let name = options.serverName { try validate(name: name) }
    }

    private func validate(name: String) throws(TransportError) {
        let isName = name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/\\?#@[]<>{}|^%`\"".utf8.contains($0) } && !name.isEmpty
        guard isName else { throw .invalidURL(description, reason: "the host contains a character that no name has") }
    }
}

extension SocketConnection {
    /// The timeouts of a connection and of the transfers on it. `nil` means no limit.
    public struct Timeouts: Sendable, Equatable {
        /// The connect timeout, including name resolution and TLS.
        public var connect: Duration?
        /// The idle timeout: the time without any bytes from the server on an established connection.
        public var idle: Duration?
        /// The total timeout, including redirects.
        public var total: Duration?

        /// Creates time limits; `nil` means no limit.
        public init(connect: Duration? = .seconds(15), idle: Duration? = .seconds(60), total: Duration? = nil) {
            self.connect = connect
            self.idle = idle
            self.total = total
        }
    }
}

/// Returns whether a host is this machine, for which no proxy is used: `localhost`, names that end with `.localhost`, and loopback
/// addresses in any notation. A name that only begins like one of them is another host.
///
/// Source: [RFC 6761, 6.3](https://www.rfc-editor.org/rfc/rfc6761#section-6.3).
package func isLoopback(_ host: String?) -> Bool {
    guard var host = host?.lowercased() else { return false }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if let address = ipv6Address(host) { return isLoopback(address) }
    if host.hasSuffix(".") { host.removeLast() }
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    var address = in_addr()
    guard inet_aton(host, &address) != 0 else { return false }
    return isLoopback(withUnsafeBytes(of: address.s_addr) { Array($0) })
}

private func ipv6Address(_ host: String) -> [UInt8]? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, host, &address) == 1 else { return nil }
    return withUnsafeBytes(of: address) { Array($0) }
}

/// Returns whether an IPv4, IPv6, or IPv4-mapped IPv6 address is a loopback address. The unspecified address leads to this machine too.
private func isLoopback(_ address: [UInt8]) -> Bool {
    guard address.count == 16 else { return address.first == 127 || address == [0, 0, 0, 0] }
    let start = address.dropLast(4)
    if start.dropLast(2).allSatisfy({ $0 == 0 }), start.suffix(2) == [0xFF, 0xFF] { return isLoopback(Array(address.suffix(4))) }
    return address.dropLast().allSatisfy { $0 == 0 } && address[15] <= 1
}
