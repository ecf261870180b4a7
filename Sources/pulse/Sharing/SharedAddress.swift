import Foundation

/// A subject of a NATS server to which checks are published: `nats://host:4222/subject`.
struct SharedAddress: Equatable, Sendable {
    /// The server, with the credentials that the user gave.
    let server: String
    let subject: String

    /// - Throws: `UsageError` if the text is no such address.
    init(_ text: String, usage: String) throws(UsageError) {
        let expected = UsageError("\(usage) needs the address of a NATS server with a subject, such as nats://127.0.0.1:4222/status")
        guard let separator = text.range(of: "://"), ["nats", "tls"].contains(text[..<separator.lowerBound]) else { throw expected }
        let parts = text[separator.upperBound...].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, Self.isSubject(parts[1]) else { throw expected }
        server = "\(text[..<separator.upperBound])\(parts[0])"
        subject = String(parts[1])
    }

    /// The address without user and password, for a title.
    var title: String {
        let parts = server.split(separator: "@")
        guard parts.count > 1, let scheme = server.range(of: "://"), let host = parts.last else { return "\(subject)  \(server)" }
        return "\(subject)  \(server[..<scheme.upperBound])\(host)"
    }

    private static func isSubject(_ text: Substring) -> Bool {
        let tokens = text.split(separator: ".", omittingEmptySubsequences: false)
        return tokens.allSatisfy { token in
            !token.isEmpty && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"*>/\\".utf8.contains($0) }
        }
    }
}
