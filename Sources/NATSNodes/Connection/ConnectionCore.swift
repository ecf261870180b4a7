import Foundation
import SocketNodes
import Synchronization

/// The parts of a connection that its streams share: its state, their observers, and the attempts to stay connected.
final class ConnectionCore: Sendable {
    struct Shared {
        var state: ConnectionState
        var receivers: [Int: AnyObserver<NATSMessage<Data>>] = [:]
        var flushes: [Int: @Sendable ((any Error)?) -> Void] = [:]
        var requests = PendingRequests()
        /// The gates of the streams that publish.
        var publishing = SuspendedGates()
        var socket: SocketConnection?
        var connectedAt = Duration.zero
        /// The number of connections in a row that were lost soon after they were made.
        var briefConnections = 0
    }

    let configuration: NATSConnection.Configuration
    /// The scheduler that delivers messages: a thread of its own, so that a slow consumer delays no other connection.
    let deliveries = SerialDispatchQueueScheduler(qos: .userInitiated, label: "streams.nats")
    let events = PublishSubject<NATSConnection.Event>()
    /// The streams that answer questions.
    let responders = Responders()
    let shared: Lock<Shared>
    /// The empty memory of an earlier batch, used while another batch is being sent.
    private let spare = Lock<[UInt8]>([])
    /// The number of messages that were skipped.
    let skipped = Atomic(0)
    let attempts = SerialDisposable()
    /// Whether the program has suspended the connection.
    private let isSuspended = BehaviorSubject(value: false)
    private let interruptions = PublishSubject<Interruption>()
    private let invalid: NATSError?

    init(_ servers: String, _ configuration: NATSConnection.Configuration) {
        self.configuration = configuration
        do throws(NATSError) {
            let addresses = try ServerAddress.parseList(servers)
            shared = Lock(Shared(state: ConnectionState(addresses, maximumPendingBytes: configuration.maximumPendingBytes)))
            invalid = nil
        } catch {
            shared = Lock(Shared(state: ConnectionState([], maximumPendingBytes: 0)))
            invalid = error
        }
        showInInspector()
    }

    var info: NATSConnection.ServerInfo? { shared.withLock { $0.state.info } }

    var pendingBytes: Int { shared.withLock { $0.state.pendingBytes } }

    func report(_ event: NATSConnection.Event) {
        events.onNext(event)
    }
}

/// The calls that streams make.
extension ConnectionCore {
    /// Emits the messages of a subscription, which is made for each subscriber.
    func received(_ subject: String, queue: String?) -> Observable<NATSMessage<Data>> {
        .create { [self] observer in
            noteUse()
            do throws(NATSError) {
                let id = try subscribe(subject, queue: queue, observer)
                return Disposables.create { [self] in unsubscribe(id) }
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }

    private func subscribe(_ subject: String, queue: String?, _ observer: AnyObserver<NATSMessage<Data>>) throws(NATSError) -> Int {
        try checkAddress()
        try Subject.check(subject, for: .subscribing)
        if let queue { try Subject.checkQueue(queue) }
        let id = try change { (shared) throws(NATSError) in
            let id = try shared.state.subscribe(.init(subject: subject, queue: queue))
            shared.receivers[id] = observer
            return id
        }
        begin()
        return id
    }

    private func unsubscribe(_ id: Int) {
        let observer = shared.withLock { shared in
            shared.state.unsubscribe(id)
            return shared.receivers.removeValue(forKey: id)
        }
        if observer != nil { pump() }
    }

    /// Sends a message, or keeps it until there is a connection.
    ///
    /// - Parameter underway: the state of the stream whose element the message is.
    func publish(
        _ subject: String, reply: String? = nil, headers: [UInt8]? = nil, payload: Data, _ underway: SerialState<Underway>? = nil
    ) throws(NATSError) {
        try checkAddress()
        let phase = try change { (shared) throws(NATSError) in
            let isUnderway = underway?.value.countElement(in: shared.state) ?? false
            try shared.state.publish(subject, reply: reply, headers: headers, payload: payload, isUnderway: isUnderway)
            return shared.state.phase
        }
        if phase == .idle { begin() }
    }

    /// Completes when the server has received everything before it.
    func flush() -> Completable {
        .create { [self] send in
            do throws(NATSError) {
                try checkAddress()
                try change { (shared) throws(NATSError) in
                    let id = try shared.state.flush()
                    shared.flushes[id] = { error in send(error.map { .error($0) } ?? .completed) }
                }
                begin()
            } catch { send(.error(error)) }
            return Disposables.create()
        }
    }

    func checkAddress() throws(NATSError) {
        if let invalid { throw invalid }
    }

    /// Changes the state, and sends what may be sent.
    @inline(__always)
    func change<Result>(_ body: (inout Shared) throws(NATSError) -> Result) throws(NATSError) -> Result {
        var batch: Batch?
        let result = shared.withLock { shared -> Swift.Result<Result, NATSError> in
            do throws(NATSError) {
                let result = try body(&shared)
                if shared.state.canSend { batch = Batch(&shared) }
                if shared.state.isFull { shared.publishing.suspend() }
                return .success(result)
            } catch { return .failure(error) }
        }
        if let batch { send(batch) }
        return try result.get()
    }

    /// The commands that are sent at once.
    private struct Batch {
        let socket: SocketConnection
        let session: Int
        var bytes: [UInt8]
        /// The change that lets sources continue, because nothing is pending.
        let resumed: GateChange

        init?(_ shared: inout Shared, exchangingFor memory: consuming [UInt8] = []) {
            guard let socket = shared.socket, let batch = shared.state.takeBatch(exchangingFor: memory) else { return nil }
            (self.socket, session, bytes) = (socket, batch.session, batch.bytes)
            resumed = shared.resumed()
        }
    }

    /// Sends all commands that can be sent now.
    func pump() {
        if let batch = shared.withLock({ Batch(&$0) }) { send(batch) }
    }

    /// Hands a batch to the socket. Commands added meanwhile form the next batch, so that a burst needs few writes.
    private func send(_ batch: consuming Batch) {
        let session = batch.session
        batch.socket.send(taking: &batch.bytes) { [self] _ in didSend(in: session) }
        spare.withLock { swap(&$0, &batch.bytes) }
        batch.resumed.perform()
    }

    /// Sends the next batch. In a burst it pauses first, so that the batch has more than the few messages that were published during a
    /// write.
    private func didSend(in session: Int, hasPaused: Bool = false) {
        // One lock for all of this: a thread that publishes holds it most of the time.
        let (batch, pausing) = shared.withLock { shared -> (Batch?, SocketConnection?) in
            if !hasPaused, shared.state.isBurst { return (nil, shared.socket) }
            shared.state.didSend(in: session)
            guard shared.state.canSend else { return (nil, nil) }
            return (Batch(&shared, exchangingFor: spare.withLock { $0.takeAll() }), nil)
        }
        pausing?.pause { [self] in didSend(in: session, hasPaused: true) }
        if let batch { send(batch) }
    }
}

/// The attempts to connect.
extension ConnectionCore {
    func begin() {
        guard shared.withLock({ $0.state.begin() }) else { return }
        let session = isSuspended.filter { !$0 }.take(1)
            .flatMap { [self] _ in
                let (address, session) = shared.withLock { ($0.state.beginAttempt(), $0.state.session) }
                return Session.stream(self, to: address, session)
            }
            .take(until: interruptions.flatMap { Observable<Never>.error($0) })
        let connections = session.retry(when: { [self] errors in
            errors.concatMap { [self] error in try delay(after: error) }
        })
        attempts.disposable = connections.subscribe(onError: { [self] in giveUp($0) })
    }

    /// Makes no connection until `resume()`, and ends the current one.
    func suspend() {
        isSuspended.onNext(true)
        interruptions.onNext(Interruption(reason: "this program has suspended it"))
    }

    func resume() {
        isSuspended.onNext(false)
    }

    /// Replaces the connection, or restarts the attempt to make one.
    func reconnect() {
        interruptions.onNext(Interruption(reason: "this program has asked for another"))
    }

    /// The error of a connection that this program has ended; it is no failure.
    private struct Interruption: Error {
        let reason: String
    }

    /// Emits when the next attempt is due; throws if there is no further attempt.
    private func delay(after error: any Error) throws -> Observable<Int> {
        let interruption = error as? Interruption
        let now = configuration.scheduler.now
        let (error, loss, wasReady, attempt, callbacks, requests) = shared.withLock { shared in
            let error =
                (error as? NATSError)
                ?? .connectionLost(server: shared.state.address?.name ?? "", reason: interruption?.reason ?? redactedText(of: error))
            let wasReady = shared.state.phase == .ready
            let loss = shared.state.didLose(error, isFailure: interruption == nil)
            if wasReady, interruption == nil {
                shared.briefConnections = now - shared.connectedAt < .seconds(1) ? shared.briefConnections + 1 : 0
            }
            shared.socket = nil
            let callbacks = loss.flushes.compactMap { shared.flushes.removeValue(forKey: $0) }
            let requests = wasReady ? shared.requests.removeAll(upTo: loss.sent) : []
            return (error, loss, wasReady, interruption == nil ? Attempt(after: &shared) : .immediate, callbacks, requests)
        }
        for callback in callbacks { callback(error) }
        for request in requests { request.onError(error) }
        if wasReady { report(.disconnected(error, unconfirmed: loss.unconfirmed)) }
        guard let delay = attempt.delay(after: error, configuration.reconnection) else { throw error }
        return delay > .zero ? .timer(delay, scheduler: configuration.scheduler) : .just(0)
    }

    /// The time of the next attempt. Each known server is tried before the policy's delay. A server that accepts and closes again and again
    /// is tried only after a delay.
    private enum Attempt {
        case immediate
        /// The policy decides, outside the lock: its closures belong to the user (law 3).
        case afterFailures(Int)
        case none

        init(after shared: inout Shared) {
            let (failures, servers) = (shared.state.failures, shared.state.pool.count)
            guard shared.state.phase == .reconnecting else {
                self = failures < servers ? .immediate : .none
                return
            }
            let rounds = failures % servers == 0 ? failures / servers : 0
            let delays = failures == 0 ? shared.briefConnections : rounds
            self = shared.state.unauthorized >= 2 * servers ? .none : delays == 0 ? .immediate : .afterFailures(delays)
        }

        func delay(after error: NATSError, _ policy: RetryPolicy) -> Duration? {
            switch self {
            case .immediate: .zero
            case .afterFailures(let failures): policy.delay(after: error, failures: failures)
            case .none: nil
            }
        }
    }
}

extension ConnectionCore.Shared {
    /// Lets the streams that publish continue, because nothing is pending any more.
    mutating func resumed() -> GateChange {
        publishing.isSuspended ? publishing.resume() : .none
    }
}

extension [UInt8] {
    /// Removes and returns everything, with its memory.
    fileprivate mutating func takeAll() -> [UInt8] {
        var all: [UInt8] = []
        swap(&self, &all)
        return all
    }
}
