public import Foundation
public import SocketNodes

/// Publishing.
extension NATSConnection {
    /// Publishes a payload to the current subscribers, at most once.
    ///
    /// Returns at once. Messages that are published while there is no connection wait for one, up to
    /// ``NATSConnection/Configuration/maximumPendingBytes``.
    ///
    /// - Parameters:
    ///   - payload: the body of the message.
    ///   - subject: a subject without wildcards.
    ///   - reply: the subject on which an answer is expected.
    ///   - headers: the headers of the message.
    /// - Throws: an error if the message is not valid or too much waits already; nothing was published then.
    public func publish(
        _ payload: Data, to subject: String, reply: String? = nil, headers: NATSHeaders = NATSHeaders()
    ) throws(NATSError) {
        if let reply { try Subject.check(reply, for: .publishing) }
        try core.publish(subject, reply: reply, headers: headers.isEmpty ? nil : try headers.encoded(), payload: payload)
    }

    /// Publishes a value: `String` as it is, other types as JSON. Otherwise like ``publish(_:to:reply:headers:)-(Data,_,_,_)``.
    public func publish(
        _ body: some Encodable, to subject: String, reply: String? = nil, headers: NATSHeaders = NATSHeaders()
    ) throws(NATSError) {
        try publish(try coding.encode(body, for: subject), to: subject, reply: reply, headers: headers)
    }

    /// Returns an observer that publishes elements to a subject: the end of a stream, as in `quotes.subscribe(bus.publisher("quotes", of:
    /// Quote.self))`.
    ///
    /// Elements that cannot be published are reported to `Hooks.errorInBinder`, like an error of the stream.
    public func publisher<Body: Encodable & Sendable>(_ subject: String, of type: Body.Type) -> AnyObserver<Body> {
        AnyObserver { [self] event in
            switch event {
            case .next(let body): do { try publish(body, to: subject) } catch { Hooks.errorInBinder(error) }
            case .error(let error): Hooks.errorInBinder(error)
            case .completed: break
            }
        }
    }
}

extension ObservableType where Element: Encodable {
    /// Publishes each element to the subject that `subject` returns for it; completes when the server has received all of them.
    ///
    /// ```swift
    /// quotes.publish(to: bus, subject: { "quotes.\($0.symbol)" }).subscribe().disposed(by: bag)
    /// ```
    ///
    /// The stream is cold, and delivers at most once. The source is suspended while 1 MB or half of
    /// ``NATSConnection/Configuration/maximumPendingBytes`` waits to be written, because the server is slower or the connection is being
    /// replaced; it resumes on ``NATSConnection/Configuration/scheduler``. A source that cannot be suspended fails the stream with
    /// ``NATSError/pendingLimit(bytes:)`` at that limit, unless an earlier `observe(on:overflow:)` drops the excess.
    ///
    /// It also fails in these cases:
    ///
    /// - An element cannot be published.
    /// - Pending messages are dropped because no server accepts the connection.
    /// - The connection is lost between the last element and the server's confirmation.
    public func publish(to bus: NATSConnection, subject: @escaping @Sendable (Element) throws -> String) -> Completable {
        let source = asObservable()
        return Observable<Never> { downstream, lifetime in
            let downstream = downstream
            let gate = bus.core.publishingGate(in: lifetime)
            let encoding = SerialState(bus.coding.makeEncoder(for: Element.self))
            let underway = SerialState(Underway())
            source.compactMap { element -> Never? in
                let subject = try subject(element)
                try bus.core.publish(subject, payload: try encoding.value(element, subject), underway)
                return nil
            }
            .subscribe(in: gate) { downstream.on($0) }
        }
        .take(until: bus.core.losses)
        .asCompletable().andThen(bus.flush())
    }

    /// Publishes each element to one subject; otherwise like ``publish(to:subject:)``.
    public func publish(to bus: NATSConnection, _ subject: String) -> Completable {
        publish(to: bus) { _ in subject }
    }
}

/// The elements that follow the suspension of a stream, because threads that emit at the same time have queued them. They may exceed the
/// limit.
struct Underway: Sendable {
    /// If there are more, the source cannot be suspended.
    private static let most = 64
    /// The number of messages that had been sent when the first of these elements was published.
    private var sent = 0
    private var count = 0

    /// Counts an element, and returns whether it is one of these.
    mutating func countElement(in state: ConnectionState) -> Bool {
        if state.sent != sent { (sent, count) = (state.sent, 0) }
        if state.isFull { count += 1 }
        return count <= Self.most
    }
}

/// Streams that publish as fast as the connection writes.
extension ConnectionCore {
    /// Returns the lifetime of the source of a stream that publishes, which is suspended while the pending bytes are many.
    func publishingGate(in parent: Lifetime) -> Gate {
        // Not on the thread of all sockets, which sends the pending bytes: a source may block.
        let gate = parent.boundary(resumingOn: configuration.scheduler)
        shared.withLock { $0.publishing.insert(gate) }
        gate.add { [self, unowned gate] in _ = shared.withLock { $0.publishing.remove(gate) } }
        return gate
    }

    /// Fails when pending messages are dropped, because some of them may belong to a stream that publishes.
    var losses: Observable<NATSConnection.Event> {
        events.filter { event in
            switch event {
            case .gaveUp(let error, let unsent) where unsent > 0: throw error
            case .closed: throw NATSError.closed
            default: return false
            }
        }
    }
}
