import Foundation
public import Streams
import WebSocketFrames

/// Opens WebSockets: the input is the request of the opening handshake, whose URL is `ws`, `wss`, `http` or `https`.
///
/// Emits the connection when the server has accepted, and completes or fails when it has been closed. The stream is cold: each subscription
/// connects anew, and disposing closes the connection. It is the last node of a chain like any other: headers of providers
/// (`headers(from:)`), a fresh token after a 401 of the handshake (`refreshing(with:on:)`), logs and aborting work as for requests.
/// The timeouts, redirects and header limit are those of the request; a redirect to another origin carries no secret headers.
///
/// Fails with an ``HTTPError`` if the server refuses, with a ``WebSocketConnection/Failure``, or with a `TransportError`.
///
/// Source: [RFC 6455](https://www.rfc-editor.org/rfc/rfc6455).
public struct WebSocketNode: Node {
    /// The default limit of a received message, in bytes.
    public static let messageSize = 16 * 1024 * 1024

    private let subprotocols: [String]
    private let maximumMessageSize: Int
    private let keepAlive: Duration?
    private let tls: TLSOptions
    private let overflow: BufferingPolicy
    private let scheduler: any Scheduler

    /// - Parameters:
    ///   - subprotocols: the subprotocols that are offered to the server, the preferred one first.
    ///   - maximumMessageSize: the maximum size of a received message, in bytes, with the headers of its fragments.
    ///   - keepAlive: the interval of pings. If nothing is received until the next ping, the connection fails with
    ///     `TransportError.timedOut`. `nil` means no pings.
    ///   - tls: the options for `wss`.
    ///   - overflow: how many **bytes** may wait to be written, and the treatment of further messages.
    ///   - scheduler: the scheduler that runs timeouts and pings.
    public init(
        subprotocols: [String] = [], maximumMessageSize: Int = WebSocketNode.messageSize, keepAlive: Duration? = .seconds(30),
        tls: TLSOptions = TLSOptions(), overflow: BufferingPolicy = .fail(capacity: SocketNode.sendBufferSize),
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        self.subprotocols = subprotocols
        self.maximumMessageSize = maximumMessageSize
        self.keepAlive = keepAlive
        self.tls = tls
        self.overflow = overflow
        self.scheduler = scheduler
    }

    public func stream(_ input: HTTPRequest) -> Observable<WebSocketConnection> {
        .deferred { [self] in
            var request = input
            if let url = URL(lenient: httpAddress(input.url.absoluteString)) { request.url = url }
            return connect(request, redirects: 0)
        }
    }

    private struct EndOfInput: Error {}

    private struct Redirected: Error {
        let request: HTTPRequest
        let count: Int
    }

    private func connect(_ request: HTTPRequest, redirects: Int) -> Observable<WebSocketConnection> {
        .deferred { [self] in
            let handshake = try ClientHandshake(request, subprotocols: subprotocols, redirects: redirects)
            let established = SerialState<WebSocketSession?>(nil)
            let pings = SerialDisposable()
            let socket = SocketNode(timeouts: request.timeouts, overflow: overflow, scheduler: scheduler).stream(handshake.endpoint(tls))
            return socket.flatMap { connection in
                connection.send(handshake.bytes)
                return limited(shake(handshake, connection), request)
            }
            .map { connection, session in
                established.value = session
                pings.disposable = keepAlive.map { ping(session, every: $0) }
                return connection
            }
            .concat(Observable.error(EndOfInput()))
            .catch { error in try ending(of: established.value, with: error, request) }
            .do(onDispose: { pings.dispose() })
        }
    }

    private func ping(_ session: WebSocketSession, every interval: Duration) -> any Disposable {
        scheduler.schedulePeriodic(after: interval, every: interval) { [weak session] in session?.keepAlive(every: interval) }
    }

    /// Continues after the end of a connection: with the next connection after a redirect, or with the result of the end.
    private func ending(
        of session: WebSocketSession?, with error: any Error, _ request: HTTPRequest
    ) throws -> Observable<WebSocketConnection> {
        if let redirected = error as? Redirected { return connect(redirected.request, redirects: redirected.count) }
        let own = error is EndOfInput ? nil : error
        guard let session else { throw own ?? TransportError.noResponse }
        guard let failure = session.failure(atEndWith: own) else { return .empty() }
        throw failure
    }

    /// Emits the connection when the response has been received.
    private func shake(
        _ handshake: ClientHandshake, _ socket: SocketConnection
    ) -> Observable<(WebSocketConnection, WebSocketSession)> {
        let state = SerialState(handshake)
        return socket.received.map { Optional($0) }.concat(Observable.just(nil))
            .compactMap { [maximumMessageSize, scheduler] bytes in
                switch try state.value.consume(bytes ?? Data(), isEnd: bytes == nil) {
                case .incomplete: return nil
                case .redirected(let request): throw Redirected(request: request, count: state.value.redirects + 1)
                case .accepted(let head, let subprotocol, let rest):
                    let session = WebSocketSession(
                        socket, url: head.redactedURL, rest: rest, maximumMessageSize: maximumMessageSize, scheduler: scheduler)
                    return (WebSocketConnection(session, response: head, subprotocol: subprotocol), session)
                }
            }
            .take(1)
    }

    /// Applies the connect timeout to the handshake too.
    private func limited<Element>(_ handshake: Observable<Element>, _ request: HTTPRequest) -> Observable<Element> {
        guard let limit = request.timeouts.connect else { return handshake }
        let late = Observable<Element>.error(TransportError.timedOut(.connect, after: limit, url: request.redactedURL))
        return handshake.timeout(limit, other: late, scheduler: scheduler)
    }
}
