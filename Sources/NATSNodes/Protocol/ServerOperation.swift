import Foundation

/// One operation of a server.
enum ServerOperation: Sendable, Equatable {
    indirect case info(ServerInfo)
    /// A message, for the subscription with this number.
    case message(Message<Data>, subscription: Int)
    case ping
    case pong
    case ok
    /// What the server says of its error.
    case error(String)
}
