import Foundation
public import WebSocketFrames

/// The reason why a WebSocket failed, besides ``TransportError`` for its connection and ``HTTPError`` for a refused handshake.
///
/// URLs are redacted, and what a peer says is escaped and shortened.
public enum WebSocketError: Error, Equatable, Sendable {
    /// The server responded, but not with a valid handshake.
    case handshake(url: String, reason: String)
    /// The peer closed with another code than `WebSocketCloseCode.normal`.
    case closed(WebSocketCloseCode, reason: String, url: String)
    /// The peer broke the protocol, and was told so with this code.
    case protocolViolation(WebSocketCloseCode, reason: String, url: String)
    /// The peer sent a message larger than the limit, in bytes.
    case messageTooLarge(limit: Int, url: String)
}

extension WebSocketError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .handshake(let url, let reason): "\(url) does not speak WebSocket: \(reason)."
        case .closed(let code, let reason, let url): "\(url) closed with code \(code)\(reason.isEmpty ? "" : ": \(reason)")."
        case .protocolViolation(let code, let reason, let url): "\(url) broke the protocol (\(code)): \(reason)."
        case .messageTooLarge(let limit, let url): "\(url) sent a message larger than \(limit) bytes."
        }
    }

    public var errorDescription: String? { description }
}
