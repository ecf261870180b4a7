import Foundation

/// Returns the URL of an argument; `http://` may be omitted. As in curl, a name before `:/` is a scheme.
///
/// - Throws: `UsageError` if no request can be sent to it.
func endpoint(_ text: String, command: String) throws -> URL {
    let written = text.trimmingCharacters(in: .whitespaces)
    let full = written.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\//) == nil ? "http://\(written)" : written
    let problem = { (what: String) in UsageError("pulse \(command): \(text.quotedForMessage) \(what)") }
    guard !full.contains(" ") else { throw problem("has a blank in it, which is %20 in a URL") }
    guard !full.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }), let url = URL(outside: full), let scheme = url.scheme?.lowercased()
    else {
        throw problem("is not a URL")
    }
    guard scheme == "http" || scheme == "https" else { throw problem("is not supported: only http and https URLs are") }
    guard let host = url.host(), !host.isEmpty, !written.hasPrefix("/") else { throw problem("has no host") }
    if let port = url.port, !(1...65_535).contains(port) { throw problem("has an invalid port") }
    return url
}
