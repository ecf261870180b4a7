import Foundation

/// The reason why a server cannot start.
public enum LoopbackServerError: Error, Sendable, Equatable, LocalizedError {
    /// The server is already running.
    case alreadyRunning
    /// The port is below 0 or above 65535.
    case impossiblePort(Int)
    /// Another program listens on that port.
    case portInUse(Int)
    /// The system refused, with its reason.
    case cannotListen(port: Int, reason: String)

    /// The error as a sentence.
    public var errorDescription: String? {
        switch self {
        case .alreadyRunning: "The server is running already."
        case .impossiblePort(let port): "\(port) is not a port: ports go from 0 to 65535."
        case .portInUse(let port): "Port \(port) of 127.0.0.1 is in use by another program."
        case .cannotListen(let port, let reason): "The server cannot listen on port \(port) of 127.0.0.1: \(reason)."
        }
    }
}
