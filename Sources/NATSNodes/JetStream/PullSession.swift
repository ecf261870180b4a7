import Foundation
import NetNodes

/// Asks a consumer of a stream for messages as they are consumed, and emits them.
final class PullSession: Sendable {
    /// A message, and what is called when it has been processed.
    struct Pulled: Sendable {
        let message: Message<Data>
        let metadata: DeliveryMetadata
        let finish: @Sendable () -> Void
    }

    /// What happens when the consumer does not respond, or the connection was replaced.
    enum Recovery: Sendable {
        /// It is durable, and delivers again what was not acknowledged: it is asked again.
        case askAgain
        /// It may be gone, and does not deliver again what was lost: the stream fails, and another is created.
        case fail
    }

    private struct State {
        var pulls: PullState
        var lastSign: Duration
    }

    private let bus: NATSConnection
    private let subject: String
    private let inbox = "_INBOX.\(UUID().uuidString.filter { $0 != "-" })"
    private let configuration: ConsumerConfiguration
    private let recovery: Recovery
    private let observer: AnyObserver<Pulled>
    private let state: Lock<State>

    private init(
        _ bus: NATSConnection, subject: String, _ configuration: ConsumerConfiguration, _ recovery: Recovery,
        _ observer: AnyObserver<Pulled>
    ) {
        self.bus = bus
        self.subject = subject
        self.configuration = configuration
        self.recovery = recovery
        self.observer = observer
        state = Lock(State(pulls: PullState(capacity: configuration.maximumInFlight), lastSign: bus.configuration.scheduler.now))
    }

    /// The messages of a consumer, until it is deleted.
    static func stream(
        _ bus: NATSConnection, stream: String, consumer: String, _ configuration: ConsumerConfiguration, _ recovery: Recovery
    ) -> Observable<Pulled> {
        let subject = JetStreamAPI.pullSubject(stream: stream, consumer: consumer)
        let pulled = Observable<Pulled>.create { observer in
            PullSession(bus, subject: subject, configuration, recovery, observer).start()
        }
        return bus.keepingConnection(pulled)
    }

    private func start() -> any Disposable {
        let messages = bus.core.received("\(inbox).*", queue: nil).subscribe(
            onNext: { [self] in receive($0) }, onError: { [self] in observer.onError($0) },
            onCompleted: { [self] in observer.onCompleted() })
        let events = bus.events.subscribe(onNext: { [self] in receive($0) })
        let period = max(configuration.heartbeat / 2, .milliseconds(1))
        let checks = bus.configuration.scheduler.schedulePeriodic(after: period, every: period) { [self] in check() }
        ask()
        return Disposables.create(messages, events, checks)
    }

    /// Asks for more messages, if there is room for them.
    private func ask() {
        let now = bus.configuration.scheduler.now
        let pull = state.withLock { state in
            let isIdle = state.pulls.requested == 0
            let pull = state.pulls.nextPull()
            if pull != nil, isIdle { state.lastSign = now }
            return pull
        }
        guard let pull else { return }
        let request = PullRequest(batch: pull.count, expires: configuration.pullExpiry, heartbeat: configuration.heartbeat)
        // A request that cannot be sent is one without an answer: it is repeated when signs are missing.
        try? bus.core.publish(subject, reply: "\(inbox).\(pull.id)", payload: request.encoded)
    }

    private func askAgain() {
        state.withLock { $0.pulls.forget() }
        ask()
    }

    /// Looks whether the server still gives signs.
    private func check() {
        let now = bus.configuration.scheduler.now
        let isSilent = state.withLock { $0.pulls.requested > 0 && now - $0.lastSign > configuration.heartbeat * 2 }
        if isSilent { recover() } else { ask() }
    }

    /// The consumer, or the server behind a new connection, knows of no request, and what it sent last may be lost.
    private func recover() {
        switch recovery {
        case .askAgain: askAgain()
        case .fail: observer.onError(ConsumerLost())
        }
    }

    private func receive(_ event: NATSEvent) {
        switch event {
        case .reconnected: recover()
        // Messages are asked for without a request that could fail.
        case .serverError(.forbidden(let forbidden, let reason)) where forbidden == subject || forbidden.hasPrefix(inbox):
            observer.onError(NATSError.forbidden(subject: forbidden, reason: reason))
        default: break
        }
    }

    private func receive(_ message: Message<Data>) {
        let now = bus.configuration.scheduler.now
        state.withLock { $0.lastSign = now }
        // A stored message may have a status line too, which says nothing: anybody may have published it.
        guard let metadata = DeliveryMetadata(reply: message.reply) else { return receiveStatus(message) }
        state.withLock { $0.pulls.didReceive() }
        observer.onNext(Pulled(message: message, metadata: metadata, finish: { [weak self] in self?.didFinish() }))
    }

    private func didFinish() {
        state.withLock { $0.pulls.didFinish() }
        ask()
    }

    /// Handles the server's own answer to a request for messages, which is sent to the inbox of this session.
    private func receiveStatus(_ message: Message<Data>) {
        guard message.subject.hasPrefix("\(inbox)."), let pull = Int(message.subject.dropFirst(inbox.count + 1)) else { return }
        guard message.body.isEmpty, let status = message.headers.status, status != 100 else { return }
        let text = message.headers.statusText
        if status == 409, text.lowercased().contains("deleted") {
            return observer.onError(NATSError.jetStream(JetStreamError(status: status, code: 0, reason: text.printableBeginning)))
        }
        if status == 503, case .fail = recovery { return observer.onError(ConsumerLost()) }
        let undelivered = message.headers["Nats-Pending-Messages"].flatMap { Int($0) }
        state.withLock { $0.pulls.didEnd(pull, undelivered: undelivered) }
        // One that has expired is followed at once. Any other has a reason, and the next check asks again.
        if status == 408 || status == 404 { ask() }
    }
}

/// A consumer does not respond, or lacks a message.
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
