/// The reason why bytes are not a valid message.
package enum MessageFault: Error, Sendable, Equatable {
    /// The bytes violate the grammar, or what follows from it; the reason is a clause, without a full stop.
    case malformed(String)
    case startLineTooLong
    case headerTooLong(limit: Int)
    case bodyTooLong
    case unknownVersion
    case unknownCoding
    /// The connection was closed within a message.
    case incomplete

    /// The reason, as a clause about the message.
    package var reason: String {
        switch self {
        case .malformed(let reason): reason
        case .startLineTooLong: "its first line is too long"
        case .headerTooLong(let limit): "its header is longer than \(limit) bytes"
        case .bodyTooLong: "its body is too long"
        case .unknownVersion: "its version is neither HTTP/1.0 nor HTTP/1.1"
        case .unknownCoding: "its transfer coding is not \"chunked\""
        case .incomplete: "it is not complete"
        }
    }
}
