import Foundation

extension HTTPHeaders {
    /// The server that the `Host` field names in place of the one in the URL of the request; `nil` if it is the same.
    ///
    /// Source: [RFC 9110, 7.1](https://www.rfc-editor.org/rfc/rfc9110#section-7.1).
    func virtualHost(at url: URL) -> String? {
        let fields = values("Host")
        guard !fields.isEmpty else { return nil }
        let named = fields.joined(separator: ", ").trimmingCharacters(in: .whitespaces).lowercased()
        return url.isNamed(byHost: named) ? nil : named
    }
}
