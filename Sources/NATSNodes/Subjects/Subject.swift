import Streams

/// Checks subjects, and the names that become parts of them.
///
/// Source: [NATS, subjects](https://docs.nats.io/nats-concepts/subjects).
enum Subject {
    /// The maximum length: a subject and a reply must fit into a line of the protocol, which has 4,096 bytes by default.
    static let maximumLength = 2_000

    /// The use of a subject, which decides whether it may contain wildcards.
    enum Use {
        case publishing
        case subscribing
    }

    /// - Throws: ``NATSError/invalidSubject(_:reason:)``.
    static func check(_ subject: String, for use: Use) throws(NATSError) {
        guard let reason = fault(of: subject.utf8, use) else { return }
        throw .invalidSubject(subject.printableBeginning, reason: reason)
    }

    /// Returns a prefix for subjects of answers that nobody else uses.
    static func newInbox() -> String { "_INBOX.\(randomIdentifier())" }

    /// Checks the name of a queue group.
    static func checkQueue(_ queue: String) throws(NATSError) {
        guard !queue.isEmpty else { throw .invalidSubject("", reason: "the queue group has no name") }
        guard queue.utf8.count <= maximumLength, !queue.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw .invalidSubject(
                queue.printableBeginning, reason: "the queue group's name has a blank or a control character, or is too long")
        }
    }

    private static func fault(of subject: String.UTF8View, _ use: Use) -> String? {
        guard !subject.isEmpty else { return "it is empty" }
        guard subject.count <= maximumLength else { return "it is longer than \(maximumLength) bytes" }
        var length = 0
        var last: UInt8 = 0
        var endsWithRest = false
        for byte in subject {
            if endsWithRest, length == 1 { if byte == dot { return "only its last part may be >" } else { endsWithRest = false } }
            guard byte > 0x20, byte != 0x7F else { return "it has a blank or a control character" }
            guard byte == dot else {
                length += 1
                last = byte
                endsWithRest = length == 1 && byte == rest
                continue
            }
            if let reason = fault(ofPart: length, last, use) { return reason }
            length = 0
        }
        return fault(ofPart: length, last, use)
    }

    private static func fault(ofPart length: Int, _ last: UInt8, _ use: Use) -> String? {
        guard length > 0 else { return "one of its parts is empty" }
        guard use == .publishing, length == 1, last == any || last == rest else { return nil }
        return "a message is published to a subject without wildcards"
    }

    private static let dot = UInt8(ascii: ".")
    private static let any = UInt8(ascii: "*")
    private static let rest = UInt8(ascii: ">")

    /// Whether messages of `subject` reach a subscription to `pattern`.
    static func matches(_ subject: String, pattern: String) -> Bool {
        let parts = subject.utf8.split(separator: dot, omittingEmptySubsequences: false)
        let patterns = pattern.utf8.split(separator: dot, omittingEmptySubsequences: false)
        for (index, wanted) in patterns.enumerated() {
            guard index < parts.count else { return false }
            if wanted.count == 1, wanted.first == rest { return true }
            if wanted.count == 1, wanted.first == any { continue }
            guard wanted.elementsEqual(parts[index]) else { return false }
        }
        return parts.count == patterns.count
    }

    /// Checks a name that becomes one part of a subject: the name of a stream, a consumer or a bucket.
    static func checkName(_ name: String) throws(NATSError) {
        guard !name.isEmpty else { throw .invalidName("", reason: "it is empty") }
        guard name.utf8.count <= 255 else { throw .invalidName(name.printableBeginning, reason: "it is longer than 255 bytes") }
        let isAllowed = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !".*>/\\".utf8.contains($0) }
        guard isAllowed else {
            throw .invalidName(name.printableBeginning, reason: "it has a blank, a dot, a wildcard, a slash or a control character")
        }
    }
}
