import Foundation

/// An error in the bytes of a server. It closes the connection, unless it concerns headers.
public enum NATSProtocolError: Error, Equatable, Sendable {
    /// A line does not end within the limit, in bytes.
    case lineTooLong(limit: Int)
    /// A line begins with an operation that the protocol does not have; the associated value is its beginning.
    case unknownOperation(String)
    /// The fields of an operation do not follow the protocol; the associated value is the line's beginning.
    case malformedLine(String)
    /// A message announces more than the limit, in bytes.
    case messageTooLong(announced: Int, limit: Int)
    /// No line end follows a payload: its announced length is wrong.
    case wrongPayloadLength(announced: Int)
    /// The headers of a message do not follow the protocol: its publisher wrote them.
    case malformedHeaders(reason: String)
    /// The information about the server is not the JSON of the protocol.
    case malformedInfo(reason: String)
    /// An operation that the server may not send at this point, such as a message before its information.
    case unexpected(String)
}

extension NATSProtocolError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .lineTooLong(let limit): "The server sent a line of more than \(limit) bytes."
        case .unknownOperation(let line): "The server sent \"\(line)\", which is no operation of NATS."
        case .malformedLine(let line): "The server sent \"\(line)\", whose fields are not those of NATS."
        case .messageTooLong(let announced, let limit):
            "The server announced a message of \(announced) bytes; at most \(limit) are accepted."
        case .wrongPayloadLength(let announced): "The server announced a payload of \(announced) bytes and sent another length."
        case .malformedHeaders(let reason): "A message has malformed headers: \(reason)."
        case .malformedInfo(let reason): "The server's information cannot be read: \(reason)."
        case .unexpected(let operation): "The server sent \(operation) when it may not."
        }
    }

    public var errorDescription: String? { description }
}
