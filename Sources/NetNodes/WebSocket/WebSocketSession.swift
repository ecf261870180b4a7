import Foundation
import Streams
import Synchronization
import WebSocketFrames

/// The state of one WebSocket after its handshake.
final class WebSocketSession: Sendable {
    private static let closeTimeout = Duration.seconds(15)

    let socket: SocketConnection
    /// The redacted URL.
    let url: String
    private let scheduler: any Scheduler
    private let maximumMessageSize: Int
    private let masks = Lock(MaskKeys())
    private let isCloseSent = Lock(false)
    private let closeTimer = SerialDisposable()
    private let mark = Resources.Mark("WebSocketSession")
    private let incoming: Lock<IncomingMessages>
    /// Whether anything was received since the last ping.
    private let hasReceived = Atomic(true)
    /// Whether the closing handshake is complete.
    private let isClosed = Atomic(false)

    init(_ socket: SocketConnection, url: String, rest: Data, maximumMessageSize: Int, scheduler: any Scheduler) {
        self.socket = socket
        self.url = url
        self.maximumMessageSize = maximumMessageSize
        self.scheduler = scheduler
        incoming = Lock(IncomingMessages(rest, maximumMessageSize: maximumMessageSize))
    }

    deinit { closeTimer.dispose() }
}

/// Receiving.
extension WebSocketSession {
    /// Makes `lifetime` the receiver until it is disposed. Returns `false` if there is another one.
    func begin(_ lifetime: Lifetime) -> Bool {
        guard incoming.withLock({ $0.begin(lifetime) }) else { return false }
        let subscriber = ObjectIdentifier(lifetime)
        lifetime.add { [self] in _ = incoming.withLock { $0.end(subscriber) } }
        return true
    }

    /// The bytes that arrived with the handshake.
    func takeHandshakeRest() -> Data { incoming.withLock { $0.takeHandshakeRest() } }

    /// Appends bytes, and returns the events to emit. The subscriber takes them one by one; those that it does not take are kept for the
    /// next one.
    func receive(_ bytes: Data) -> Received {
        hasReceived.store(true, ordering: .relaxed)
        incoming.withLock { $0.append(bytes) }
        return Received(session: self)
    }

    /// The messages that have been received, and the end that the peer has requested.
    struct Received: Sequence, IteratorProtocol, Sendable {
        let session: WebSocketSession

        func next() -> Event<WebSocketMessage>? { session.next() }
    }

    /// Takes the next message or the end, and answers the control frames before it.
    private func next() -> Event<WebSocketMessage>? {
        while let next = incoming.withLock({ $0.next() }) {
            switch next {
            case .success(.message(let message)): return .next(message)
            case .success(.ping(let payload)): sendControl(.pong, payload)
            case .success(.pong): break
            case .success(.close(let code, let reason)): return didReceiveClose(code, reason)
            case .failure(let violation): return fail(violation)
            }
        }
        return nil
    }

    private func didReceiveClose(_ code: WebSocketMessage.CloseCode, _ reason: String) -> Event<WebSocketMessage> {
        let wasAnswer = !sendClose(code, "")
        isClosed.store(true, ordering: .releasing)
        closeTimer.dispose()
        guard !wasAnswer, code != .normal, code != .noCode else {
            socket.close()
            return .completed
        }
        let error = WebSocketConnection.Failure.closed(code, reason: reason.escapedForDisplay, url: url)
        socket.fail(error, politely: true)
        return .error(error)
    }

    private func fail(_ violation: WebSocketViolation) -> Event<WebSocketMessage> {
        sendClose(violation.code, violation.reason)
        let error: WebSocketConnection.Failure =
            violation.code == .messageTooLarge
            ? .messageTooLarge(limit: maximumMessageSize, url: url)
            : .protocolViolation(violation.code, reason: violation.reason, url: url)
        socket.fail(error, politely: true)
        return .error(error)
    }

    /// Returns the error that the end of the connection means; returns `nil` for a completion. A peer that has closed may reset the
    /// connection.
    func failure(atEndWith error: (any Error)? = nil) -> (any Error)? {
        guard !isClosed.load(ordering: .acquiring), !isCloseSent.withLock({ $0 }) else {
            return error is TransportError ? nil : error
        }
        return error ?? TransportError.connectionLost(url: url, reason: "it was closed without a closing handshake")
    }
}

/// Sending.
extension WebSocketSession {
    /// Sends a message; returns whether it will be written, as `SocketConnection.send(_:)-(Data)` does.
    func send(_ message: WebSocketMessage) -> Bool {
        send(WebSocketFrame.bytes(message, mask: masks.withLock { $0.next() }))
    }

    @discardableResult
    func sendControl(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]) -> Bool {
        send(WebSocketFrame.bytes(opcode, payload, mask: masks.withLock { $0.next() }))
    }

    private func send(_ frame: [UInt8]) -> Bool {
        // Under the lock, so that nothing follows a close frame.
        isCloseSent.withLock { !$0 && socket.send(frame) }
    }

    /// Begins the closing handshake.
    func close(_ code: WebSocketMessage.CloseCode, _ reason: String) {
        guard sendClose(code, reason) else { return }
        // Without a subscriber the answer would not be read.
        guard incoming.withLock({ $0.hasSubscriber }) else { return socket.close() }
        closeTimer.disposable = scheduler.schedule(after: Self.closeTimeout) { [socket] in socket.close() }
    }

    /// Sends a close frame; returns whether it is the first.
    @discardableResult
    private func sendClose(_ code: WebSocketMessage.CloseCode, _ reason: String) -> Bool {
        let frame = WebSocketFrame.close(code, reason: reason, mask: masks.withLock { $0.next() })
        return isCloseSent.withLock { isCloseSent in
            guard !isCloseSent else { return false }
            isCloseSent = true
            _ = socket.send(frame)
            return true
        }
    }

    /// Sends a ping. Fails the connection if nothing was received since the last ping, although the session waited for it.
    func keepAlive(every interval: Duration) {
        let isWaiting = incoming.withLock { $0.isAwaited }
        if !hasReceived.exchange(!isWaiting, ordering: .acquiringAndReleasing), isWaiting {
            socket.fail(TransportError.timedOut(.idle, after: interval, url: url), politely: false)
        }
        sendControl(.ping, [])
    }
}

/// Unpredictable masking keys, many of which are fetched from the system at a time.
struct MaskKeys {
    private static let batchSize = 64

    private var keys: [UInt32] = []

    mutating func next() -> UInt32 {
        if keys.isEmpty { refill() }
        return keys.removeLast()
    }

    private mutating func refill() {
        keys = Array(repeating: 0, count: Self.batchSize)
        keys.withUnsafeMutableBytes { CurrentRandomNumberGenerator().fill($0) }
    }
}
