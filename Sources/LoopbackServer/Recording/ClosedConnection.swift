/// How a connection ended.
public struct ClosedConnection: Sendable, Equatable {
    /// Who or what ended it.
    public enum Reason: Sendable, Equatable {
        /// The client closed or reset it, or was gone when the server wrote.
        case client
        /// The server, after an answer that ends the connection.
        case server
        /// A fault that was asked for.
        case fault
        /// A streaming body failed, or the client took it too slowly (`ServerLimits.streamBufferBytes`).
        case brokenOff
        /// The client sent nothing, or took nothing, for too long (`ServerLimits.idleTime`).
        case idle
        /// The server was stopped.
        case stopped
    }

    /// The connection's number.
    public let connection: Int
    /// Who or what ended it.
    public let reason: Reason
    /// The request that was being answered at that moment. It tells that a client cancelled.
    public let interrupted: ServerRequest?
    /// Bytes that were read from it.
    public let bytesReceived: Int
    /// Bytes that were handed to the system for it.
    public let bytesSent: Int
}

/// What a server has seen since it was made.
public struct ServerCounts: Sendable, Equatable {
    /// Connections that were accepted.
    public internal(set) var connectionsOpened = 0
    /// Connections that are open now.
    public internal(set) var connectionsOpen = 0
    /// Complete requests.
    public internal(set) var requests = 0
    /// Requests that were answered with 4xx because they are no HTTP or beyond a limit.
    public internal(set) var malformedRequests = 0
    /// How often the process had no file descriptor left for a connection.
    public internal(set) var acceptFailures = 0
}
