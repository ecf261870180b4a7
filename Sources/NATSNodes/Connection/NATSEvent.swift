/// What happens to a connection, for a log or a status line.
public enum NATSEvent: Sendable, Equatable {
    /// The first connection has been made.
    case connected(ServerInfo)
    /// The connection was lost, and another is being made.
    ///
    /// `unconfirmed` is the number of sent messages that may or may not have arrived.
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
    /// A stored stream that is read, or shared, waits until what has failed succeeds: until there is JetStream, or the stream. ``gaveUp(_:unsent:)`` and
    /// ``disconnected(_:unconfirmed:)`` tell what a connection waits for.
    case waiting(NATSError)
    /// Elements of a shared stream cannot be received any more: others have taken their places in what the server stores.
    ///
    /// `count` is their number; `nil` if nobody knows it, because the server has lost its memory.
    case missed(subject: String, count: Int?)
    /// No further attempt is made until the connection is used again.
    ///
    /// `unsent` is the number of messages that waited for a connection, and are dropped.
    case gaveUp(NATSError, unsent: Int)
    /// The connection was closed by this program.
    case closed
}

extension NATSEvent: CustomStringConvertible {
    /// One sentence, which quotes no secret.
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
