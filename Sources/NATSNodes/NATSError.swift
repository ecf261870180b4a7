import Foundation
public import Streams

/// An error of a connection to NATS. Its text quotes no password, token or payload.
public enum NATSError: Error, Equatable, Sendable {
    /// An address is not that of a server. Nothing was sent.
    case invalidURL(String, reason: String)
    /// A subject, or the name of a queue group, is not valid. Nothing was sent.
    case invalidSubject(String, reason: String)
    /// The name of a stream, a consumer, a bucket or a key is not valid. Nothing was sent.
    case invalidName(String, reason: String)
    /// A header is not valid. Nothing was sent.
    case invalidHeader(name: String, reason: String)
    /// Credentials cannot be read or used. Nothing was sent.
    case invalidCredentials(reason: String)
    /// No connection could be made to any server; `reason` is that of the last attempt.
    case cannotConnect(servers: [String], reason: String)
    /// The server requires TLS, or does not offer it where it was required.
    case insecure(server: String, reason: String)
    /// The server refused the credentials.
    case unauthorized(server: String, reason: String)
    /// The user may not publish or subscribe to a subject.
    case forbidden(subject: String, reason: String)
    /// The server violated the protocol.
    case protocolViolation(ProtocolViolation)
    /// The message is larger than the server accepts, in bytes. Nothing was sent.
    case messageTooLarge(size: Int, limit: Int)
    /// The pending bytes would exceed ``NATSConnection/Configuration/maximumPendingBytes``. The message was not sent.
    case pendingLimit(bytes: Int)
    /// The connection was lost, and the request or message with it.
    case connectionLost(server: String, reason: String)
    /// This program closed or drained the connection.
    case closed
    /// Nobody is subscribed to the subject of a request.
    case noResponders(subject: String)
    /// An answer did not arrive in time.
    case timedOut(subject: String, after: Duration)
    /// The responder failed.
    case service(subject: String, code: Int, reason: String)
    /// A value cannot be encoded. Nothing was sent.
    case unencodable(subject: String, reason: String)
    /// A message cannot be decoded.
    case undecodable(subject: String, reason: String)
    /// JetStream refused a request.
    case jetStream(JetStreamFailure)
    /// The server is too old for the request. Nothing was sent.
    case unsupported(server: String, reason: String)
}

extension NATSError {
    /// Whether the same call may succeed a little later: for `retry(policy.when { ... })`.
    public var isTransient: Bool {
        switch self {
        case .timedOut, .connectionLost, .noResponders, .cannotConnect, .pendingLimit: true
        case .jetStream(let error): [409, 500, 503].contains(error.status) || error.code == JetStreamFailure.noSuitablePeers
        default: false
        }
    }
}

extension NATSError {
    /// The answer of JetStream when it refuses a request.
    public struct JetStreamFailure: Error, Equatable, Sendable {
        /// The status, as in HTTP: 400, 404, 503.
        public var status: Int
        /// The code of the error; 0 if the server sent none.
        public var code: Int
        /// The server's description of the error.
        public var reason: String

        /// A cluster knows too few servers for the replicas: some may still be starting.
        static let noSuitablePeers = 10_005
        /// No message is stored with that number, or for that subject.
        static let noMessage = 10_037

        /// There is no stream of that name.
        static let noStream = 10_059

        /// The stream that was read from is gone, and there is another of its name.
        static func replacedStream(_ name: String) -> JetStreamFailure {
            JetStreamFailure(status: 404, code: noStream, reason: "the stream \(name) was deleted and created again")
        }

        /// Creates an error.
        public init(status: Int, code: Int, reason: String) {
            self.status = status
            self.code = code
            self.reason = reason
        }
    }
}

extension NATSError: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String {
        switch self {
        case .invalidURL(let url, let reason): "\(url) is not the address of a NATS server: \(reason)."
        case .invalidSubject(let subject, let reason): "The subject \"\(subject)\" is not valid: \(reason)."
        case .invalidName(let name, let reason): "The name \"\(name)\" is not valid: \(reason)."
        case .invalidHeader(let name, let reason): "The header \"\(name)\" cannot be sent: \(reason)."
        case .invalidCredentials(let reason): "The credentials cannot be used: \(reason)."
        case .cannotConnect(let servers, let reason): "Could not connect to \(servers.joined(separator: ", ")): \(reason)."
        case .insecure(let server, let reason): "No secure connection to \(server): \(reason)."
        case .unauthorized(let server, let reason): "\(server) refused the credentials: \(reason)."
        case .forbidden(let subject, let reason): "The subject \(subject) is not permitted: \(reason)."
        case .protocolViolation(let error): error.description
        case .messageTooLarge(let size, let limit): "The message has \(size) bytes; the server accepts \(limit)."
        case .pendingLimit(let bytes): "More than \(bytes) bytes wait to be sent."
        case .connectionLost(let server, let reason): "The connection to \(server) was lost: \(reason)."
        case .closed: "The connection was closed."
        case .noResponders(let subject): "Nobody responds to \(subject)."
        case .timedOut(let subject, let duration): "No answer on \(subject) within \(duration)."
        case .service(let subject, let code, let reason): "The responder of \(subject) failed with code \(code): \(reason)."
        case .unencodable(let subject, let reason): "The value for \(subject) cannot be encoded: \(reason)."
        case .undecodable(let subject, let reason): "A message on \(subject) cannot be decoded: \(reason)."
        case .jetStream(let error): error.description
        case .unsupported(let server, let reason): "\(server) is too old: \(reason)."
        }
    }

    public var errorDescription: String? { description }
}

extension NATSError.JetStreamFailure: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String { "JetStream refused with status \(status), code \(code): \(reason)." }

    public var errorDescription: String? { description }
}

extension NATSError {
    /// An error in the bytes of a server. It closes the connection, unless it concerns headers.
    public enum ProtocolViolation: Error, Equatable, Sendable {
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
}

extension NATSError.ProtocolViolation: LocalizedError, CustomStringConvertible {
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
