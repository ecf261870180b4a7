import Foundation
public import Streams
public import WebSocketFrames

/// An established WebSocket. Thread-safe; it is closed with the subscription of its node.
public struct WebSocketConnection: Sendable {
    /// The response that accepted the handshake.
    public let response: HTTPResponse.Head
    /// The subprotocol that the server chose, if any.
    public let subprotocol: String?
    private let session: WebSocketSession

    init(_ session: WebSocketSession, response: HTTPResponse.Head, subprotocol: String?) {
        self.session = session
        self.response = response
        self.subprotocol = subprotocol
    }

    /// The messages from the server, on the thread of the sockets. See ``messages(on:)``.
    public var messages: Observable<WebSocketMessage> { messages() }

    /// The messages from the server.
    ///
    /// Unconsumed messages are not read: while the subscriber is suspended, or there is none, at most the messages in one piece of 256 KB,
    /// and the one that is being received, are in memory. Pings are answered while messages are consumed. Only one subscription at a time
    /// is possible; a later one continues where it ended.
    ///
    /// Completes when the server closes with the code 1000 or without one, or answers the close of this side. Fails with a
    /// ``WebSocketConnection/Failure`` when the server closes with another code or violates the protocol, and with a `TransportError` when
    /// the connection is lost.
    ///
    /// - Parameter scheduler: the scheduler on which messages are delivered, one after the other, for a slow consumer; `nil` means the
    ///   thread of the sockets.
    public func messages(on scheduler: (any Scheduler)? = nil) -> Observable<WebSocketMessage> {
        Observable { [session] downstream, lifetime in
            guard session.begin(lifetime) else {
                return downstream.onError(Failure.handshake(url: session.url, reason: "its messages have a subscriber already"))
            }
            // Bytes that arrived with the handshake, or that an earlier subscriber has left, come first.
            let first = Observable.deferred { .just(session.takeHandshakeRest()) }
            let bytes = (scheduler.map { first.observe(on: $0) } ?? first).concat(session.socket.received(on: scheduler))
            let upstream = lifetime.child()
            bytes.flatMapIterable { session.receive($0) }.subscribe(in: upstream) { event in
                switch event {
                case .next(.next(let message)): downstream.onNext(message)
                case .next(let ending):
                    upstream.dispose()
                    downstream.on(ending)
                case .error, .completed:
                    downstream.on(session.failure(atEndWith: event.error).map { .error($0) } ?? .completed)
                }
            }
        }
    }

    /// Buffers a message to be written, in the order of the calls. The messages of a burst become one write.
    ///
    /// - Returns: whether the connection accepts messages, as for `SocketConnection.send(_:)-(Data)`.
    @discardableResult
    public func send(_ message: WebSocketMessage) -> Bool { session.send(message) }

    /// Sends the messages of a stream; its completion closes the connection with the code 1000, and its error with 1011.
    public var sender: AnyObserver<WebSocketMessage> {
        AnyObserver { [self] event in
            switch event {
            case .next(let message): send(message)
            case .completed: close()
            case .error: close(.internalError)
            }
        }
    }

    /// The number of bytes that were sent and that the system has not accepted.
    public var pendingBytes: Int { session.socket.pendingBytes }

    /// Completes when the system has accepted everything that was sent before the subscription; fails if the connection ends earlier.
    public func flush() -> Completable { session.socket.flush() }

    /// Begins the closing handshake: the messages complete when the server has answered, or after 15 s. Nothing can be sent any more.
    ///
    /// - Parameters:
    ///   - code: a code that must not be sent (`WebSocketMessage.CloseCode.noCode` and unknown ones below 3000) is left out.
    ///   - reason: the reason, which is shortened to 123 bytes.
    public func close(_ code: WebSocketMessage.CloseCode = .normal, reason: String = "") { session.close(code, reason) }
}

extension WebSocketConnection {
    /// The reason why a WebSocket failed, besides `TransportError` for its connection and ``HTTPError`` for a refused handshake.
    ///
    /// URLs are redacted, and text of a peer is escaped and shortened.
    public enum Failure: Error, Equatable, Sendable {
        /// The server responded, but not with a valid handshake.
        case handshake(url: String, reason: String)
        /// The peer closed with another code than `WebSocketMessage.CloseCode.normal`.
        case closed(WebSocketMessage.CloseCode, reason: String, url: String)
        /// The peer violated the protocol, and was told so with this code.
        case protocolViolation(WebSocketMessage.CloseCode, reason: String, url: String)
        /// The peer sent a message larger than the limit, in bytes.
        case messageTooLarge(limit: Int, url: String)
    }
}

extension WebSocketConnection.Failure: LocalizedError, CustomStringConvertible {
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
