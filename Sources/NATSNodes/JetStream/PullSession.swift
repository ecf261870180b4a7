import Foundation
import SocketNodes

/// Requests messages from a consumer of a stream as they are consumed, and emits them.
///
/// While downstream is suspended the session requests nothing, and keeps the messages that it has requested before: at most as many as may
/// be unfinished.
final class PullSession: Sendable {
    /// A message, and the closure that is called when it has been processed.
    struct Pulled: Sendable {
        let message: NATSMessage<Data>
        let metadata: DeliveryMetadata
        let finish: @Sendable () -> Void
    }

    /// The reaction to a consumer that does not respond, and to a replaced connection.
    enum Recovery: Sendable {
        /// The consumer is durable, and delivers again every message that was not acknowledged: it is asked again.
        case askAgain
        /// The consumer may be gone, and does not deliver lost messages again: the stream fails, and a new consumer is created.
        case fail
    }

    fileprivate struct State {
        var pulls: PullState
        var lastSign: Duration
        /// The messages that have to be acknowledged and have not been emitted yet, in order.
        var waiting: [Waiting] = []
    }

    fileprivate struct Waiting {
        let reply: String
        /// The time at which the server began to wait for an acknowledgement.
        var start: Duration
    }

    private let bus: NATSConnection
    private let subject: String
    private let inbox = Subject.newInbox()
    private let configuration: NATSStream.ConsumerConfiguration
    private let recovery: Recovery
    private let outlet: Outlet<Pulled>
    private let state: Lock<State>

    private init(
        _ bus: NATSConnection, subject: String, _ configuration: NATSStream.ConsumerConfiguration, _ recovery: Recovery,
        _ outlet: Outlet<Pulled>
    ) {
        self.bus = bus
        self.subject = subject
        self.configuration = configuration
        self.recovery = recovery
        self.outlet = outlet
        state = Lock(State(pulls: PullState(capacity: configuration.maximumInFlight), lastSign: bus.configuration.scheduler.now))
    }

    /// Emits the messages of a consumer until it is deleted.
    static func stream(
        _ stream: NATSStream, consumer: String, _ configuration: NATSStream.ConsumerConfiguration, _ recovery: Recovery
    ) -> Observable<Pulled> {
        let (bus, subject) = (stream.bus, stream.api.pullSubject(stream: stream.name, consumer: consumer))
        let pulled = Observable<Pulled> { downstream, lifetime in
            let outlet = Outlet(downstream, lifetime)
            let session = PullSession(bus, subject: subject, configuration, recovery, outlet)
            // Requested messages arrive also while downstream is suspended, and are kept in order.
            Observable<Pulled>.create(overflow: .suspend(capacity: configuration.maximumInFlight)) { session.start($0) }
                .subscribe(in: lifetime.child()) { event in
                    if !event.isStopEvent { session.willEmit() }
                    outlet.emit(event)
                }
        }
        return bus.keepingConnection(pulled)
    }

    private func start(_ observer: AnyObserver<Pulled>) -> any Disposable {
        let messages = bus.core.received("\(inbox).*", queue: nil).subscribe(
            onNext: { [self] in receive($0, observer) }, onError: { observer.onError($0) }, onCompleted: { observer.onCompleted() })
        let events = bus.events.subscribe(onNext: { [self] in receive($0, observer) })
        let period = max(min(configuration.heartbeat / 2, extensionTime), .milliseconds(1))
        let checks = bus.configuration.scheduler.schedulePeriodic(after: period, every: period) { [self] in check(observer) }
        ask()
        return Disposables.create(messages, events, checks)
    }

    /// Requests more messages, if there is room for them and downstream is not suspended.
    private func ask() {
        guard outlet.awaitReadiness({ [self] in askLater() }) else { return }
        let now = bus.configuration.scheduler.now
        let pull = state.withLock { state in
            let isIdle = state.pulls.requested == 0
            let pull = state.pulls.nextPull()
            if pull != nil, isIdle { state.lastSign = now }
            return pull
        }
        guard let pull else { return }
        let request = PullRequest(batch: pull.count, expires: configuration.pullExpiry, heartbeat: configuration.heartbeat)
        // A request that cannot be sent is like one without an answer: it is repeated when heartbeats are missing.
        try? bus.core.publish(subject, reply: "\(inbox).\(pull.id)", payload: request.encoded)
    }

    private func askLater() {
        outlet.didResume()
        ask()
    }

    private func askAgain() {
        state.withLock { $0.pulls.forget() }
        ask()
    }

    /// Checks whether the server still sends heartbeats, and keeps it from delivering again messages that are not emitted yet.
    private func check(_ observer: AnyObserver<Pulled>) {
        let now = bus.configuration.scheduler.now
        let (isSilent, extended) = state.withLock { state in
            let isSilent = state.pulls.requested > 0 && now - state.lastSign > configuration.heartbeat * 2
            return (isSilent, state.extend(at: now, after: extensionTime))
        }
        for reply in extended { try? bus.core.publish(reply, payload: Data("+WPI".utf8)) }
        if isSilent { recover(observer) } else { ask() }
    }

    /// The time that a message waits before it is extended; together with the period of the checks this is early enough.
    private var extensionTime: Duration { configuration.shortestWait / 3 }

    /// Recovers from a lost request: the consumer, or the server of a new connection, knows of no request, and the last messages may be
    /// lost.
    private func recover(_ observer: AnyObserver<Pulled>) {
        switch recovery {
        case .askAgain: askAgain()
        case .fail: observer.onError(ConsumerLost())
        }
    }

    private func receive(_ event: NATSConnection.Event, _ observer: AnyObserver<Pulled>) {
        switch event {
        case .reconnected: recover(observer)
        // Messages are requested by publishing, so no request could fail.
        case .serverError(.forbidden(let forbidden, let reason)) where forbidden == subject || forbidden.hasPrefix(inbox):
            observer.onError(NATSError.forbidden(subject: forbidden, reason: reason))
        default: break
        }
    }

    private func receive(_ message: NATSMessage<Data>, _ observer: AnyObserver<Pulled>) {
        let now = bus.configuration.scheduler.now
        // A stored message may have a status line too, which proves nothing: anybody may have published it.
        let metadata = DeliveryMetadata(reply: message.reply)
        state.withLock { state in
            state.lastSign = now
            guard metadata != nil, let reply = message.reply else { return }
            state.pulls.didReceive()
            if case .askAgain = recovery { state.waiting.append(Waiting(reply: reply, start: now)) }
        }
        guard let metadata else { return receiveStatus(message, observer) }
        observer.onNext(Pulled(message: message, metadata: metadata, finish: { [weak self] in self?.didFinish() }))
    }

    /// Notes that the oldest waiting message is being emitted: from now on the subscriber extends it.
    private func willEmit() {
        guard case .askAgain = recovery else { return }
        state.withLock { _ = $0.waiting.removeFirst() }
    }

    private func didFinish() {
        state.withLock { $0.pulls.didFinish() }
        ask()
    }

    /// Handles the server's own answer to a request for messages, which arrives in the inbox of this session.
    private func receiveStatus(_ message: NATSMessage<Data>, _ observer: AnyObserver<Pulled>) {
        guard message.subject.hasPrefix("\(inbox)."), let pull = Int(message.subject.dropFirst(inbox.count + 1)) else { return }
        guard message.body.isEmpty, let status = message.headers.status, status != 100 else { return }
        let text = message.headers.statusText
        if status == 409, text.lowercased().contains("deleted") {
            return observer.onError(
                NATSError.jetStream(NATSError.JetStreamFailure(status: status, code: 0, reason: text.printableBeginning)))
        }
        if status == 503, case .fail = recovery { return observer.onError(ConsumerLost()) }
        let undelivered = message.headers["Nats-Pending-Messages"].flatMap { Int($0) }
        state.withLock { $0.pulls.didEnd(pull, undelivered: undelivered) }
        // A request that has expired is followed by the next at once. Any other status has a reason, and the next check asks again.
        if status == 408 || status == 404 { ask() }
    }
}

extension PullSession.State {
    /// Returns the replies of the messages that have waited for `time`, and restarts their time.
    fileprivate mutating func extend(at now: Duration, after time: Duration) -> [String] {
        var replies: [String] = []
        for index in waiting.indices where now - waiting[index].start >= time {
            waiting[index].start = now
            replies.append(waiting[index].reply)
        }
        return replies
    }
}

/// The error of a consumer that does not respond, or lacks a message.
struct ConsumerLost: Error {}

/// The request for messages.
private struct PullRequest {
    let batch: Int
    let expires: Duration
    let heartbeat: Duration

    var encoded: Data {
        let beat = min(heartbeat, expires / 2).wholeNanoseconds
        return Data("{\"batch\":\(batch),\"expires\":\(expires.wholeNanoseconds),\"idle_heartbeat\":\(beat)}".utf8)
    }
}
