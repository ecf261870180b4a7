import Foundation

extension URL {
    /// The host as it is connected to: without percent encoding, and an address of version 6 without brackets.
    ///
    /// Foundation has made a name with letters beyond ASCII the one that the DNS knows, unless it was written in percent encoding: that
    /// stays as it is, and is rejected, as libcurl does it.
    var plainHost: String? {
        guard let host = host(percentEncoded: false) else { return nil }
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}

/// Returns a host as it stands before a port: an address of version 6 in brackets.
func bracketed(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
}
