import Foundation
import Streams
import WebSocketFrames

/// The messages that a WebSocket has received and its subscriber has not taken, and the subscriber; there is one at a time.
struct IncomingMessages: Sendable {
    private var input: WebSocketInput
    /// The bytes that arrived with the handshake.
    private var handshakeRest: Data
    private var subscriber: Lifetime?
    /// Whether the subscriber has taken a message, and has not asked for the next one.
    private var isHandling = false

    init(_ handshakeRest: Data, maximumMessageSize: Int) {
        self.handshakeRest = handshakeRest
        input = WebSocketInput(isServer: false, maximumMessageSize: maximumMessageSize)
    }

    var hasSubscriber: Bool { subscriber != nil }

    /// Whether a subscriber waits for bytes.
    var isAwaited: Bool { subscriber.map { !isHandling && !$0.isSuspended } ?? false }

    /// Makes `lifetime` the subscriber; returns `false` if there is another one.
    mutating func begin(_ lifetime: Lifetime) -> Bool {
        guard subscriber == nil else { return false }
        (subscriber, isHandling) = (lifetime, false)
        return true
    }

    /// Ends the subscription, and returns the subscriber, to be released outside a lock.
    mutating func end(_ lifetime: ObjectIdentifier) -> Lifetime? {
        subscriber.map(ObjectIdentifier.init) == lifetime ? subscriber.take() : nil
    }

    mutating func takeHandshakeRest() -> Data {
        defer { handshakeRest = Data() }
        return handshakeRest
    }

    mutating func append(_ bytes: Data) {
        bytes.withUnsafeBytes { input.append($0) }
    }

    /// Takes the next event; returns `nil` if there is none.
    mutating func next() -> Result<WebSocketEvent, WebSocketViolation>? {
        isHandling = !input.isEmpty
        return input.next()
    }
}
