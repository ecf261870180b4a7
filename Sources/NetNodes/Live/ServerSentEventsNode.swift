import Foundation
public import Streams

/// Emits the events that a server sends in an unbounded response, as they are received.
///
/// After a lost connection it reconnects and asks for the events after the last one (`Last-Event-ID`). It completes when the server
/// responds with 204. It fails if the first connection fails, if the status is unsuccessful, or if the response is not an event stream.
/// While the subscriber is suspended nothing is read, so that the server has to wait.
public struct ServerSentEventsNode: Node {
    private let transport: any Transport
    private let reconnection: Reconnection?

    /// - Parameters:
    ///   - transport: the transport that performs the transfers.
    ///   - reconnection: the reconnection policy; `nil` completes the stream when the connection closes.
    public init(transport: any Transport, reconnection: Reconnection? = Reconnection()) {
        self.transport = transport
        self.reconnection = reconnection
    }

    public func stream(_ input: HTTPRequest) -> Observable<ServerSentEvent> {
        .deferred { [self] in
            let session = EventSession(reconnection)
            let connection = Observable.deferred { transport.exchangedTransfer(session.next(input)).serverSentEvents(session) }
            guard reconnection != nil else { return connection.catch { try session.end(after: $0) } }
            return connection.concat(Observable.error(EventSession.ConnectionEnded()))
                .retry { errors in errors.flatMap { try session.nextAttempt(after: $0) } }
                .catch { try session.end(after: $0) }
        }
    }
}

extension ObservableType<TransferEvent> {
    /// Emits the events in the response of a transfer, as they are received.
    ///
    /// Fails with an ``HTTPError`` for an unsuccessful status, with a ``ServerSentEvent/Failure`` if the response is not an event stream,
    /// and with `TransportError.noResponse` without a response.
    public func serverSentEvents() -> Observable<ServerSentEvent> {
        let transfer = asObservable()
        return .deferred { transfer.serverSentEvents(EventSession(nil)) }
    }

    fileprivate func serverSentEvents(_ session: EventSession) -> Observable<ServerSentEvent> {
        requiringResponse().flatMapIterable { try session.events(in: $0) }
    }
}

/// The state of one subscription to events. Sound by law 2: there is one connection, and one event, at a time.
private final class EventSession: @unchecked Sendable {
    struct ConnectionEnded: Error {}
    struct Finished: Error {}

    private let reconnection: ServerSentEventsNode.Reconnection?
    private var parser = ServerSentEventParser()
    private var backoff: ReconnectionBackoff?
    private var hasOpened = false
    private var unsuccessful = UnsuccessfulResponse()

    init(_ reconnection: ServerSentEventsNode.Reconnection?) {
        self.reconnection = reconnection
        backoff = reconnection.map { ReconnectionBackoff($0) }
    }

    /// Returns the request of the next connection.
    func next(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        parser = ServerSentEventParser(lastEventID: parser.lastEventID)
        unsuccessful = UnsuccessfulResponse()
        backoff?.beginConnection()
        if request.headers["Accept"] == nil { request.headers.append("Accept", "text/event-stream") }
        if request.headers["Cache-Control"] == nil { request.headers.append("Cache-Control", "no-cache") }
        if let lastEventID = parser.lastEventID, !lastEventID.isEmpty { request.headers["Last-Event-ID"] = lastEventID }
        return request
    }

    func events(in event: TransferEvent) throws -> [ServerSentEvent] {
        guard try !unsuccessful.consume(event) else { return [] }
        switch event {
        case .sent, .progress, .end: return []
        case .head(let head):
            try check(head)
            return []
        case .chunk(let data):
            let events = try parser.consume(data)
            if let wanted = parser.reconnectionTime { backoff?.serverDelay = wanted }
            if !events.isEmpty { backoff?.noteEvent() }
            return events
        }
    }

    private func check(_ head: HTTPResponse.Head) throws {
        if head.status == 204 { throw Finished() }
        guard head.mediaType == "text/event-stream" else {
            let type = head.headers["Content-Type"] ?? ""
            throw ServerSentEvent.Failure.notAnEventStream(contentType: type.escapedForDisplay, url: head.redactedURL)
        }
        hasOpened = true
    }

    /// Counts a failed attempt and emits after the delay before the next one.
    ///
    /// - Throws: the error, if there is no further attempt.
    func nextAttempt(after error: any Error) throws -> Observable<Int> {
        guard hasOpened, canBeRetried(error), let reconnection, let delay = backoff?.endConnection() else { throw error }
        return .timer(delay, scheduler: reconnection.scheduler)
    }

    /// Returns the termination after the last error: a completion if the server has finished.
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
