import Foundation

extension URL {
    /// The host for connecting: without percent encoding, and an IPv6 address without brackets.
    ///
    /// Foundation has converted a name with letters beyond ASCII to the one that the DNS knows, unless it was written in percent encoding.
    /// Such a name stays as it is, and is rejected, as in libcurl.
    package var plainHost: String? {
        guard let host = host(percentEncoded: false) else { return nil }
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}

/// Returns a host as it is written before a port, with an IPv6 address in brackets.
package func bracketed(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
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
