import Foundation
public import Streams

/// When a stream of events connects again.
public struct Reconnection: Sendable {
    /// The wait before the first new attempt where the server names none; it doubles with each attempt that fails.
    public var delay: Duration
    /// The longest wait.
    public var maximumDelay: Duration
    /// Attempts in a row that may fail; `nil` for any number.
    public var attempts: Int?
    /// Where the waits are timed.
    public var scheduler: any Scheduler

    public init(
        delay: Duration = .seconds(1), maximumDelay: Duration = .seconds(30), attempts: Int? = nil,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.attempts = attempts
        self.scheduler = scheduler
    }
}

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
            let session = EventSession(request: input, reconnection: reconnection)
            let connection = Observable.deferred { transport.transfer(session.nextRequest()).serverSentEvents(session) }
            guard reconnection != nil else { return connection }
            return connection.concat(Observable.error(EventSession.ConnectionEnded()))
                .retry(when: { errors in errors.flatMap { try session.wait(after: $0) } })
                .catch { error in
                    if error is EventSession.Finished { return .empty() }
                    throw error
                }
        }
    }
}

extension ObservableType<TransferEvent> {
    /// The events in the response of a transfer, as they come.
    ///
    /// Fails with an ``HTTPError`` at a bad status and with a ``ServerSentEventError`` where what comes is no stream of events.
    public func serverSentEvents() -> Observable<ServerSentEvent> {
        let transfer = asObservable()
        return .deferred { transfer.serverSentEvents(EventSession(request: nil, reconnection: nil)) }
    }

    fileprivate func serverSentEvents(_ session: EventSession) -> Observable<ServerSentEvent> {
        flatMap { event in Observable.from(try session.events(in: event)) }
    }
}

/// What one subscription to events remembers. Law 2 makes the unchecked conformance sound: one connection at a time, one event at a time.
private final class EventSession: @unchecked Sendable {
    struct ConnectionEnded: Error {}
    struct Finished: Error {}

    /// How much of the body of a bad response is kept for the error.
    private static let errorBodyLimit = 64 * 1024

    private let request: HTTPRequest?
    private let reconnection: Reconnection?
    private var parser = ServerSentEventParser()
    private var lastEventID: String?
    private var failures = 0
    private var hasOpened = false
    private var badResponse: HTTPResponse?

    init(request: HTTPRequest?, reconnection: Reconnection?) {
        self.request = request
        self.reconnection = reconnection
    }

    func nextRequest() -> HTTPRequest {
        parser = ServerSentEventParser()
        badResponse = nil
        guard var request else { preconditionFailure("a session without a request does not connect") }
        if request.headers["Accept"] == nil { request.headers.append("Accept", "text/event-stream") }
        if request.headers["Cache-Control"] == nil { request.headers.append("Cache-Control", "no-cache") }
        if let lastEventID, !lastEventID.isEmpty { request.headers["Last-Event-ID"] = lastEventID }
        return request
    }

    func events(in event: TransferEvent) throws -> [ServerSentEvent] {
        switch event {
        case .sent, .progress: return []
        case .head(let head):
            try check(head)
            return []
        case .chunk(let data):
            if let kept = badResponse?.body.count {
                badResponse?.body.append(data.prefix(Self.errorBodyLimit - kept))
                return []
            }
            let events = try parser.consume(data)
            lastEventID = parser.lastEventID ?? lastEventID
            if !events.isEmpty { failures = 0 }
            return events
        case .end:
            if let error = badResponse.flatMap({ HTTPError($0) }) { throw error }
            return []
        }
    }

    private func check(_ head: HTTPResponseHead) throws {
        if head.status >= 400 {
            badResponse = HTTPResponse(head: head)
            return
        }
        if head.status == 204 { throw Finished() }
        let type = head.headers["Content-Type"] ?? ""
        guard type.lowercased().hasPrefix("text/event-stream") else {
            throw ServerSentEventError.notAnEventStream(contentType: type.escapedForDisplay, url: redacted(head.url))
        }
        hasOpened = true
    }

    /// The wait before the next attempt, or the error that ends the stream.
    func wait(after error: any Error) throws -> Observable<Int> {
        guard let reconnection, hasOpened, canBeRetried(error) else { throw error }
        failures += 1
        if let attempts = reconnection.attempts, failures > attempts { throw error }
        let first = parser.reconnectionTime ?? reconnection.delay
        let delay = min(first * (1 << min(failures - 1, 16)), max(first, reconnection.maximumDelay))
        return .timer(delay, scheduler: reconnection.scheduler)
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
