import Foundation
import Streams
import Synchronization
import WebSocketFrames

/// The server's side of one WebSocket, after its handshake.
///
/// Nothing is taken from the connection while the subscriber of the client's messages is suspended. Without a subscriber, messages are
/// dropped.
///
/// `@unchecked Sendable`: the input is confined to the server's queue, where `take` and `stop` are called.
final class ServerWebSocket: @unchecked Sendable {
    private let feed: BodyFeed
    private let messages: Incoming<WebSocketMessage>
    private let isCloseSent = Atomic(false)
    private var input: WebSocketInput

    init(_ feed: BodyFeed, maximumMessageSize: Int) {
        self.feed = feed
        messages = Incoming(feed.queue, resume: feed.wakeReader)
        input = WebSocketInput(isServer: true, maximumMessageSize: maximumMessageSize)
    }

    func start(_ route: (Observable<WebSocketMessage>) -> Observable<WebSocketMessage>) {
        route(messages.elements).subscribe(in: feed.gate) { [self] event in
            switch event {
            case .next(let message): send(WebSocketFrame.bytes(message))
            case .error(let error):
                let close = error as? LoopbackServer.WebSocketClose ?? LoopbackServer.WebSocketClose(.internalError)
                sendClose(close.code, close.reason)
            case .completed: sendClose(.normal, "")
            }
        }
    }

    /// Handles the received frames, until the subscriber of the messages is suspended: control frames then wait behind the messages.
    func take(from parser: inout RequestParser) {
        while mayTake {
            if input.isEmpty {
                guard parser.bufferedBytes > 0 else { return }
                parser.takeBuffered().withUnsafeBytes { input.append($0) }
            }
            if let next = input.next() { handle(next) }
        }
        // No bytes after the end are needed.
        if messages.hasEnded { _ = parser.takeBuffered() } else { messages.park() }
    }

    private var mayTake: Bool { !messages.hasEnded && (!messages.hasSubscriber || messages.isAwaited) }

    /// Ends the messages: the client has disconnected, or the server stops.
    func stop() {
        feed.gate.dispose()
        finish(with: .completed)
    }

    private func handle(_ next: Result<WebSocketEvent, WebSocketViolation>) {
        switch next {
        case .success(.message(let message)): messages.emit(message)
        case .success(.ping(let payload)): send(WebSocketFrame.bytes(.pong, payload))
        case .success(.pong): break
        case .success(.close(let code, _)):
            sendClose(code, "")
            finish(with: .completed)
        case .failure(let violation):
            sendClose(violation.code, violation.reason)
            finish(with: .error(LoopbackServer.WebSocketClose(violation.code, reason: violation.reason)))
        }
    }

    /// Ends the client's messages; bytes that are buffered for the client are still sent.
    private func finish(with event: Event<WebSocketMessage>) {
        guard !messages.hasEnded else { return }
        messages.finish(with: event)
        feed.finish(hasFailed: false)
    }

    private func send(_ frame: [UInt8]) {
        guard !isCloseSent.load(ordering: .acquiring) else { return }
        feed.append(Data(frame))
    }

    private func sendClose(_ code: WebSocketMessage.CloseCode, _ reason: String) {
        guard !isCloseSent.exchange(true, ordering: .acquiringAndReleasing) else { return }
        feed.append(Data(WebSocketFrame.close(code, reason: reason)))
    }
}
