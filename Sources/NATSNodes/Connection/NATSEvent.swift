/// What happens to a connection, for a log or a status line.
public enum NATSEvent: Sendable, Equatable {
    /// The first connection has been made.
    case connected(ServerInfo)
    /// The connection was lost, and another is being made.
    ///
    /// `unconfirmed` is the number of messages that were sent and of which nobody knows whether they arrived.
    case disconnected(NATSError, unconfirmed: Int)
    /// Another connection has been made, and all subscriptions with it. What was published to them meanwhile has not arrived.
    case reconnected(ServerInfo)
    /// The server is about to shut down.
    case lameDuck(ServerInfo)
    /// The server reported an error that does not end the connection, or messages had malformed headers: they are passed on without any.
    case serverError(NATSError)
    /// A message of somebody else was skipped: its body cannot be decoded, or it is a question to whose reply subject nothing can be sent.
    ///
    /// `count` is the number of messages that this connection has skipped, with this one.
    case skipped(NATSError, count: Int)
    /// No further attempt is made until the connection is used again.
    ///
    /// `unsent` is the number of messages that waited for a connection, and are dropped.
    case gaveUp(NATSError, unsent: Int)
    /// The connection was closed by this program.
    case closed
}
