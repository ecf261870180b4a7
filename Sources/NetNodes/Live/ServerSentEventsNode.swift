import Foundation
public import Streams

/// A request whose response does not end: the events that a server sends, as they come.
///
/// When the connection breaks after it stood once, it connects again and asks for what followed the last event (`Last-Event-ID`). It ends
/// when the server answers 204, and fails where the first connection does, where the status is bad, or where what comes is no stream of events.
public struct ServerSentEventsNode: Node {
    private let transport: any Transport
    private let reconnection: Reconnection?

    /// - Parameter reconnection: `nil` ends the stream with the connection.
    public init(transport: any Transport, reconnection: Reconnection? = Reconnection()) {
        self.transport = transport
        self.reconnection = reconnection
    }

    public func stream(_ input: HTTPRequest) -> Observable<ServerSentEvent> {
        .deferred { [self] in
            let session = EventSession(reconnection)
            let connection = Observable.deferred { transport.transfer(session.next(input)).serverSentEvents(session) }
            guard reconnection != nil else { return connection.catch { try session.end(after: $0) } }
            // An error that ends everything travels as an element, because any other starts the next attempt.
            return Observable.deferred { session.wait().flatMap { _ in connection } }
                .concat(Observable.error(EventSession.ConnectionEnded()))
                .map { Result<ServerSentEvent, any Error>.success($0) }
                .catch { error in session.isOver(after: error) ? .just(.failure(error)) : .error(error) }
                .retry()
                .map { try $0.get() }
                .catch { try session.end(after: $0) }
        }
    }
}

extension ObservableType<TransferEvent> {
    /// The events in the response of a transfer, as they come.
    ///
    /// Fails with an ``HTTPError`` at a bad status, with a ``ServerSentEventError`` where what comes is no stream of events, and with
    /// ``TransportError/noResponse`` where nothing came.
    public func serverSentEvents() -> Observable<ServerSentEvent> {
        let transfer = asObservable()
        return .deferred { transfer.serverSentEvents(EventSession(nil)) }
    }

    fileprivate func serverSentEvents(_ session: EventSession) -> Observable<ServerSentEvent> {
        requiringResponse().flatMap { event in Observable.from(try session.events(in: event)) }
    }
}

/// What one subscription to events remembers. Law 2 makes the unchecked conformance sound: one connection at a time, one event at a time.
private final class EventSession: @unchecked Sendable {
    struct ConnectionEnded: Error {}
    struct Finished: Error {}

    private let reconnection: Reconnection?
    private var parser = ServerSentEventParser()
    private var lastEventID: String?
    private var backoff: ReconnectionBackoff?
    private var hasOpened = false
    private var bad = BadResponse()

    init(_ reconnection: Reconnection?) {
        self.reconnection = reconnection
        backoff = reconnection.map { ReconnectionBackoff($0) }
    }

    /// The request for the next connection.
    func next(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        parser = ServerSentEventParser()
        bad = BadResponse()
        backoff?.beginConnection()
        if request.headers["Accept"] == nil { request.headers.append("Accept", "text/event-stream") }
        if request.headers["Cache-Control"] == nil { request.headers.append("Cache-Control", "no-cache") }
        if let lastEventID, !lastEventID.isEmpty { request.headers["Last-Event-ID"] = lastEventID }
        return request
    }

    func events(in event: TransferEvent) throws -> [ServerSentEvent] {
        guard try !bad.takes(event) else { return [] }
        switch event {
        case .sent, .progress, .end: return []
        case .head(let head):
            try check(head)
            return []
        case .chunk(let data):
            let events = try parser.consume(data)
            lastEventID = parser.lastEventID ?? lastEventID
            if let wanted = parser.reconnectionTime { backoff?.serverDelay = wanted }
            if !events.isEmpty { backoff?.noteEvent() }
            return events
        }
    }

    private func check(_ head: HTTPResponseHead) throws {
        if head.status == 204 { throw Finished() }
        let type = head.headers["Content-Type"] ?? ""
        guard type.lowercased().hasPrefix("text/event-stream") else {
            throw ServerSentEventError.notAnEventStream(contentType: type.escapedForDisplay, url: redacted(head.url))
        }
        hasOpened = true
    }

    /// The wait before the next attempt; there is none before the first.
    func wait() -> Observable<Int> {
        guard let reconnection, let wait = backoff?.wait else { return .just(0) }
        return .timer(wait, scheduler: reconnection.scheduler)
    }

    /// Whether there is no further attempt; otherwise counts this one.
    func isOver(after error: any Error) -> Bool {
        guard hasOpened, canBeRetried(error) else { return true }
        return backoff?.endConnection() != true
    }

    /// What follows the last error: nothing if the server said that it has finished.
    func end(after error: any Error) throws -> Observable<ServerSentEvent> {
        guard error is Finished else { throw error }
        return .empty()
    }

    private func canBeRetried(_ error: any Error) -> Bool {
        switch error {
        case is ConnectionEnded: true
        case is TransportError, is TechnicalError: TechnicalError(error) != nil || error is TechnicalError
        case let error as HTTPError: [502, 503, 504].contains(error.status)
        default: false
        }
    }
}
