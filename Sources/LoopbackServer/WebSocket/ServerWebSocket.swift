import Foundation
import Streams
import Synchronization
import WebSocketFrames

/// The server's side of one WebSocket, behind its handshake.
///
/// `@unchecked Sendable`: the parser and its events are confined to the server's queue, where `receive` and `stop` are called.
final class ServerWebSocket: @unchecked Sendable {
    private let feed: BodyFeed
    private let messages = PublishSubject<WebSocketMessage>()
    private let isCloseSent = Atomic(false)
    private var parser: WebSocketParser
    private var events: [WebSocketEvent] = []
    private var isFinished = false

    init(_ feed: BodyFeed, maximumMessageSize: Int) {
        self.feed = feed
        parser = WebSocketParser(isServer: true, maximumMessageSize: maximumMessageSize)
    }

    func start(_ route: (Observable<WebSocketMessage>) -> Observable<WebSocketMessage>) {
        route(messages.asObservable()).subscribe(in: feed.gate) { [self] event in
            switch event {
            case .next(let message): send(WebSocketFrame.bytes(message))
            case .error(let error):
                let close = error as? WebSocketClose ?? WebSocketClose(.internalError)
                sendClose(close.code, close.reason)
            case .completed: sendClose(.normal, "")
            }
        }
    }

    func receive(_ bytes: [UInt8]) {
        guard !isFinished else { return }
        let violation = bytes.withUnsafeBytes { parser.parse($0, into: &events) }
        let received = events
        events.removeAll(keepingCapacity: true)
        for event in received { handle(event) }
        guard let violation, !isFinished else { return }
        sendClose(violation.code, violation.reason)
        finish { $0.onError(WebSocketClose(violation.code, reason: violation.reason)) }
    }

    /// The client has disconnected, or the server stops.
    func stop() {
        feed.gate.dispose()
        guard !isFinished else { return }
        finish { $0.onCompleted() }
    }

    private func handle(_ event: WebSocketEvent) {
        switch event {
        case .message(let message): messages.onNext(message)
        case .ping(let payload): send(WebSocketFrame.bytes(.pong, payload))
        case .pong: break
        case .close(let code, _):
            sendClose(code, "")
            finish { $0.onCompleted() }
        }
    }

    /// Ends the client's messages; what is buffered for the client is still sent.
    private func finish(_ end: (PublishSubject<WebSocketMessage>) -> Void) {
        isFinished = true
        end(messages)
        feed.finish(hasFailed: false)
    }

    private func send(_ frame: [UInt8]) {
        guard !isCloseSent.load(ordering: .acquiring) else { return }
        feed.append(Data(frame))
    }

    private func sendClose(_ code: WebSocketCloseCode, _ reason: String) {
        guard !isCloseSent.exchange(true, ordering: .acquiringAndReleasing) else { return }
        feed.append(Data(WebSocketFrame.close(code, reason: reason)))
    }
}
