internal import Bytes

/// Assembles a head from its lines.
///
/// Interim responses (1xx) are read and dropped, except for 101, which ends HTTP on the connection.
struct HeadReader: Sendable {
    private let role: MessageParser.Role
    private(set) var head = MessageHead(.response(status: 0))
    /// Whether the start line has been read. It tells without a look at the head, which would be copied.
    private(set) var hasBegun = false

    init(_ role: MessageParser.Role) { self.role = role }

    /// Consumes a line without its end, and returns whether it completes the head.
    mutating func consume(_ line: UnsafeRawBufferPointer) throws(MessageFault) -> Bool {
        guard hasBegun else {
            head = role == .server ? try MessageHead(requestLine: line) : try MessageHead(statusLine: line)
            head.headers.reserveCapacity(16)
            hasBegun = true
            return false
        }
        guard let first = line.first else { return beginMessage() }
        if first.isBlank {
            try unfold(line)
        } else {
            head.headers.append(try HTTPHeaders.Field(line: line))
        }
        return false
    }

    /// A server rejects a folded field, which others may read as two; a client must read it as one.
    ///
    /// Source: [RFC 9112, 5.2](https://www.rfc-editor.org/rfc/rfc9112#section-5.2).
    private mutating func unfold(_ line: UnsafeRawBufferPointer) throws(MessageFault) {
        guard role == .client, let name = head.headers.last?.name else { throw .malformed("a header line begins with a blank") }
        head.headers.continueLast(with: try HTTPHeaders.Field.value(line, of: name))
    }

    private mutating func beginMessage() -> Bool {
        hasBegun = !((100..<200).contains(head.status) && head.status != 101)
        return hasBegun
    }

    /// Returns the complete head, and begins anew.
    mutating func take() -> MessageHead {
        defer { self = HeadReader(role) }
        return head
    }
}
