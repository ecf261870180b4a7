import Foundation

/// The address to which a socket connects, and its security.
public struct SocketEndpoint: Sendable, Hashable {
    /// The security of the bytes.
    public enum Security: Sendable, Hashable {
        /// The bytes travel as they are.
        case plain
        /// The bytes are encrypted. The server's certificate is verified unless the options say otherwise.
        case tls(TLSOptions = TLSOptions())
    }

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

extension SocketEndpoint: CustomStringConvertible {
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
