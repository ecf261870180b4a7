extension NATSConnection {
    /// An event of a connection, for a log or a status line.
    public enum Event: Sendable, Equatable {
        /// The first connection was made.
        case connected(ServerInfo)
        /// The connection was lost, and a new one is being made.
        ///
        /// `unconfirmed` is the number of sent messages that may or may not have arrived.
        case disconnected(NATSError, unconfirmed: Int)
        /// A new connection was made, and all subscriptions with it. Messages that were published to them meanwhile have not arrived.
        case reconnected(ServerInfo)
        /// The server is about to shut down.
        case lameDuck(ServerInfo)
        /// The server reported an error that does not end the connection, or messages had malformed headers: they are delivered without
        /// headers.
        case serverError(NATSError)
        /// A message of another program was skipped: its body cannot be decoded, or it is a question whose reply subject cannot be
        /// published to.
        ///
        /// `count` is the number of messages that this connection has skipped, including this one.
        case skipped(NATSError, count: Int)
        /// A stored stream that is read or shared waits until the failed request succeeds, that is, until there is JetStream, or the
        /// stream. For a connection that waits, see ``gaveUp(_:unsent:)`` and ``disconnected(_:unconfirmed:)``.
        case waiting(NATSError)
        /// Elements of a shared stream cannot be received any more: newer elements have replaced them on the server.
        ///
        /// `count` is their number; `nil` if it is unknown because the server has lost its memory.
        case missed(subject: String, count: Int?)
        /// Every attempt has failed; the next use of the connection tries again.
        ///
        /// `unsent` is the number of messages that waited for a connection; they are dropped.
        case gaveUp(NATSError, unsent: Int)
        /// This program closed the connection.
        case closed
    }
}

extension NATSConnection.Event: CustomStringConvertible {
    /// One sentence about the event, which quotes no secret.
    public var description: String {
        switch self {
        case .connected(let server): "Connected to \(server.serverName.printableBeginning)."
        case .disconnected(let error, 0), .gaveUp(let error, 0): error.description
        case .disconnected(let error, let unconfirmed): "\(error) Messages that may not have arrived: \(unconfirmed)."
        case .reconnected(let server): "Connected again, to \(server.serverName.printableBeginning)."
        case .lameDuck(let server): "\(server.serverName.printableBeginning) is about to shut down."
        case .serverError(let error): error.description
        case .skipped(let error, _): error.description
        case .waiting(let error): "Waiting: \(error)"
        case .missed(let subject, nil): "Elements of \(subject.printableBeginning) may have been missed."
        case .missed(let subject, let count?): "Elements of \(subject.printableBeginning) that have been missed: \(count)."
        case .gaveUp(let error, let unsent): "\(error) Messages that were dropped: \(unsent)."
        case .closed: "The connection was closed."
        }
    }
}
