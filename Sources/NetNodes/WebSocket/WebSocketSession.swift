import Foundation
import Streams
import Synchronization
import WebSocketFrames

/// The state of one WebSocket behind its handshake.
///
/// Sound: what is received is handled by one subscriber at a time (`turn`, law 2); the rest has a lock or is atomic.
final class WebSocketSession: @unchecked Sendable {
    private static let closeTimeout = Duration.seconds(15)

    let socket: SocketConnection
    /// Redacted.
    let url: String
    private let scheduler: any Scheduler
    private let maximumMessageSize: Int
    private let masks = Lock(MaskKeys())
    private let isCloseSent = Lock(false)
    private let closeTimer = SerialDisposable()
    private let mark = Resources.Mark("WebSocketSession")
    let turn = SubscriberTurn()
    private let isPaused = Atomic(false)
    /// What the keep-alive has seen since its last ping.
    private let hasReceived = Atomic(true)
    /// Whether the closing handshake is complete.
    private let isClosed = Atomic(false)

    // Accessed in its turn by the subscriber only.
    private var parser: WebSocketParser
    private var events: [WebSocketEvent] = []
    private var position = 0
    private var rest: Data

    init(_ socket: SocketConnection, url: String, rest: Data, maximumMessageSize: Int, scheduler: any Scheduler) {
        self.socket = socket
        self.url = url
        self.rest = rest
        self.maximumMessageSize = maximumMessageSize
        self.scheduler = scheduler
        parser = WebSocketParser(isServer: false, maximumMessageSize: maximumMessageSize)
    }

    deinit { closeTimer.dispose() }
}

/// Receiving.
extension WebSocketSession {
    func setPaused(_ isPaused: Bool) { self.isPaused.store(isPaused, ordering: .releasing) }

    /// The bytes that arrived with the handshake.
    func takeRest() -> Data {
        defer { rest = Data() }
        return rest
    }

    /// Handles bytes: passes on messages until the subscription is disposed, and answers control frames.
    func receive(_ bytes: Data, in lifetime: Lifetime, _ receive: (WebSocketMessage) -> Void) -> Event<WebSocketMessage>? {
        hasReceived.store(true, ordering: .relaxed)
        let violation = bytes.withUnsafeBytes { parser.parse($0, into: &events) }
        while position < events.count {
            // What is not taken is kept for the next subscriber.
            guard !lifetime.isDisposed else { return nil }
            position += 1
            switch events[position - 1] {
            case .message(let message): receive(message)
            case .ping(let payload): sendControl(.pong, payload)
            case .pong: break
            case .close(let code, let reason): return didReceiveClose(code, reason)
            }
        }
        events.removeAll(keepingCapacity: true)
        position = 0
        return violation.map(fail)
    }

    private func didReceiveClose(_ code: WebSocketCloseCode, _ reason: String) -> Event<WebSocketMessage> {
        let wasAnswer = !sendClose(code, "")
        isClosed.store(true, ordering: .releasing)
        closeTimer.dispose()
        guard !wasAnswer, code != .normal, code != .noCode else {
            socket.close()
            return .completed
        }
        let error = WebSocketError.closed(code, reason: reason.escapedForDisplay, url: url)
        socket.fail(error, politely: true)
        return .error(error)
    }

    private func fail(_ violation: WebSocketViolation) -> Event<WebSocketMessage> {
        sendClose(violation.code, violation.reason)
        let error: WebSocketError =
            violation.code == .messageTooLarge
            ? .messageTooLarge(limit: maximumMessageSize, url: url)
            : .protocolViolation(violation.code, reason: violation.reason, url: url)
        socket.fail(error, politely: true)
        return .error(error)
    }

    /// Returns the error that the end of the connection means; `nil` for a completion. A peer that has closed may reset the connection.
    func failure(atEndWith error: (any Error)? = nil) -> (any Error)? {
        guard !isClosed.load(ordering: .acquiring), !isCloseSent.withLock({ $0 }) else {
            return error is TransportError ? nil : error
        }
        return error ?? TransportError.connectionLost(url: url, reason: "it was closed without a closing handshake")
    }
}

/// Sending.
extension WebSocketSession {
    /// Returns whether the message will be written, as ``SocketConnection/send(_:)-(Data)`` does.
    func send(_ message: WebSocketMessage) -> Bool {
        send(WebSocketFrame.bytes(message, mask: masks.withLock { $0.next() }))
    }

    @discardableResult
    func sendControl(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]) -> Bool {
        send(WebSocketFrame.bytes(opcode, payload, mask: masks.withLock { $0.next() }))
    }

    private func send(_ frame: [UInt8]) -> Bool {
        // In the lock, so that nothing follows a close frame.
        isCloseSent.withLock { !$0 && socket.send(frame) }
    }

    /// Begins the closing handshake.
    func close(_ code: WebSocketCloseCode, _ reason: String) {
        guard sendClose(code, reason) else { return }
        // Without a subscriber the answer would not be read.
        guard turn.isTaken else { return socket.close() }
        closeTimer.disposable = scheduler.schedule(after: Self.closeTimeout) { [socket] in socket.close() }
    }

    /// Returns whether this is the first close frame.
    @discardableResult
    private func sendClose(_ code: WebSocketCloseCode, _ reason: String) -> Bool {
        let frame = WebSocketFrame.close(code, reason: reason, mask: masks.withLock { $0.next() })
        return isCloseSent.withLock { isCloseSent in
            guard !isCloseSent else { return false }
            isCloseSent = true
            _ = socket.send(frame)
            return true
        }
    }

    /// Sends a ping, and fails the connection if nothing was received since the last one although it was waited for.
    func keepAlive(every interval: Duration) {
        let isWaiting = turn.isWaiting && !isPaused.load(ordering: .acquiring)
        if !hasReceived.exchange(!isWaiting, ordering: .acquiringAndReleasing), isWaiting {
            socket.fail(TransportError.timedOut(.idle, after: interval, url: url), politely: false)
        }
        sendControl(.ping, [])
    }
}

/// Unpredictable masking keys, fetched from the system many at a time.
struct MaskKeys {
    private static let batchSize = 64

    private var keys: [UInt32] = []

    mutating func next() -> UInt32 {
        if keys.isEmpty { refill() }
        return keys.removeLast()
    }

    private mutating func refill() {
        keys = Array(repeating: 0, count: Self.batchSize)
        let isFilled = keys.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) == 0 }
        if !isFilled { keys = keys.map { _ in .random(in: .min ... .max) } }
    }
}
