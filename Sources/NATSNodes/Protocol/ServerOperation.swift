import Foundation

/// One operation of a server.
enum ServerOperation: Sendable, Equatable {
    case info(ServerInfo)
    case message(ReceivedMessage)
    case ping
    case pong
    case ok
    /// What the server says of its error.
    case error(String)
}

/// A message as it arrives, for the subscription with this number.
struct ReceivedMessage: Sendable, Equatable {
    var subscription: Int
    var subject: String
    var reply: String?
    var headers: NATSHeaders?
    var payload: Data
}
