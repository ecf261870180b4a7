/// A connection that was closed, and the reason.
public struct ClosedConnection: Sendable, Equatable {
    /// The reason why a connection was closed.
    public enum Reason: Sendable, Equatable {
        /// The client closed or reset it, or had disconnected when the server wrote.
        case client
        /// The server closed it after a response that ends the connection.
        case server
        /// A requested fault closed it.
        case fault
        /// A streaming body failed, or the client received it too slowly (`ServerLimits.streamBufferBytes`).
        case aborted
        /// The client sent or received nothing for too long (`ServerLimits.idleTime`).
        case idle
        /// The server was stopped.
        case stopped
    }

    /// The connection's number.
    public let connection: Int
    /// The reason why it was closed.
    public let reason: Reason
    /// The request in progress at that moment, if any: its client cancelled.
    public let interrupted: ServerRequest?
    /// The number of bytes read from it.
    public let bytesReceived: Int
    /// The number of bytes written to it.
    public let bytesSent: Int
}

/// The counts of a server since it was created.
public struct ServerCounts: Sendable, Equatable {
    /// Accepted connections.
    public internal(set) var connectionsOpened = 0
    /// Currently open connections.
    public internal(set) var connectionsOpen = 0
    /// Complete requests.
    public internal(set) var requests = 0
    /// Requests answered with 4xx because they are malformed or exceed a limit.
    public internal(set) var malformedRequests = 0
    /// The number of times that the process had no file descriptor left for a connection.
    public internal(set) var acceptFailures = 0
}
