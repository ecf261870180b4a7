import Foundation
public import NetNodes

/// A server's confirmation that a message is stored.
public struct PublishAcknowledgement: Sendable, Equatable, Decodable {
    /// In which stream.
    public let stream: String
    /// Its number there.
    public let sequence: Int
    /// Whether a message with its id was stored already, which this is.
    public let isDuplicate: Bool

    private enum CodingKeys: String, CodingKey {
        case stream
        case sequence = "seq"
        case isDuplicate = "duplicate"
    }

    /// Creates an acknowledgement: for stubs in tests.
    public init(stream: String, sequence: Int, isDuplicate: Bool = false) {
        self.stream = stream
        self.sequence = sequence
        self.isDuplicate = isDuplicate
    }

    /// A message that another stream has stored, because the subject is one of its, is not where it should be.
    func check(of expected: String) throws(NATSError) {
        guard stream == expected else {
            throw .jetStream(
                JetStreamError(status: 400, code: 10_060, reason: "\(stream.printableBeginning) has stored it, not \(expected)"))
        }
        guard sequence > 0 else { throw .undecodable(subject: expected, reason: "the number of the stored message is \(sequence)") }
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        stream = try values.decode(String.self, forKey: .stream)
        sequence = try values.decode(Int.self, forKey: .sequence)
        isDuplicate = try values.decodeIfPresent(Bool.self, forKey: .isDuplicate) ?? false
    }
}

/// How a `store(in:)` sends.
public struct StoreConfiguration: Sendable {
    /// The number of messages that are sent and not acknowledged; below 1 it is treated as 1.
    public var maximumInFlight = 256
    /// How many elements wait to be sent, and what happens to further ones. What has been sent is never dropped, also when it has to be sent
    /// again. With `.fail`, one element too many is an error of upstream: `StreamError.overflow(capacity:)`.
    public var overflow = BufferingPolicy.unbounded
    /// How long an acknowledgement may take.
    public var acknowledgementTimeout = Duration.seconds(5)
    /// The delays before messages that were not acknowledged are sent again; failures are counted anew with each acknowledgement.
    public var retry = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(2), maxAttempts: 30)
    /// Whether this is the only publisher of the stream: then the server is told which message each follows, and stores none out of order,
    /// also when some are lost on the way. Without this, order is certain only as long as nothing fails, or with one message in flight.
    public var isOnlyPublisher = false

    /// Creates the default configuration.
    public init() {}
}

extension ObservableType where Element: Encodable {
    /// Stores each element in a stream, and emits its acknowledgement, in the order of the elements.
    ///
    /// ```swift
    /// orders.store(in: bus.stream("ORDERS"), id: \.number)
    /// ```
    ///
    /// An element that is not acknowledged is sent again: with its id the server recognizes it, and it is stored once, if that happens within
    /// ``StreamConfiguration/duplicateWindow``. Completes when everything is acknowledged. Fails with an error that sending again does not
    /// mend, with ``NATSError/jetStream(_:)`` and the code 10060 when another stream has stored it, or when ``StoreConfiguration/retry`` allows no
    /// further attempt; and at once at an error of upstream, also with elements that wait.
    ///
    /// - Parameters:
    ///   - stream: where they are stored.
    ///   - subject: one of the stream's; by default the one called like the stream.
    ///   - id: identifies an element in the stream, also when a program that was restarted sends it again. Elements are stored again without.
    ///   - change: sets how they are stored.
    public func store<ID: CustomStringConvertible & SendableMetatype>(
        in stream: NATSStream, subject: (@Sendable (Element) -> String)? = nil, id: @escaping @Sendable (Element) -> ID,
        _ change: @Sendable (inout StoreConfiguration) -> Void = { _ in }
    ) -> Observable<PublishAcknowledgement> {
        var configuration = StoreConfiguration()
        change(&configuration)
        let (elements, final, name) = (asObservable(), configuration, stream.name)
        let prepared = Observable<StoreSession.Prepared>.deferred {
            let encoding = SerialState(stream.bus.coding.makeEncoder(for: Element.self))
            return elements.map { element in
                let subject = subject?(element) ?? name
                try Subject.check(subject, for: .publishing)
                return .init(subject: subject, id: "\(id(element))", payload: try encoding.value(element, subject))
            }
        }
        return .create { observer in StoreSession(stream, final, observer).start(prepared) }
    }

    /// Stores each element in a stream with an id of its own; otherwise like ``store(in:subject:id:_:)``.
    public func store(
        in stream: NATSStream, _ change: @Sendable (inout StoreConfiguration) -> Void = { _ in }
    ) -> Observable<PublishAcknowledgement> {
        store(in: stream, subject: nil, id: { _ in UUID().uuidString }, change)
    }

    /// Stores each element under one of the stream's subjects with an id of its own; otherwise like ``store(in:subject:id:_:)``.
    public func store(
        in stream: NATSStream, subject: @escaping @Sendable (Element) -> String,
        _ change: @Sendable (inout StoreConfiguration) -> Void = { _ in }
    ) -> Observable<PublishAcknowledgement> {
        store(in: stream, subject: subject, id: { _ in UUID().uuidString }, change)
    }
}

/// One subscription of a `store(in:)`.
///
/// Its inputs go through a subject, which serializes them: so its state needs no lock (law 2).
final class StoreSession: Sendable {
    /// An element that was checked and encoded.
    struct Prepared: Sendable {
        let subject: String
        let id: String
        let payload: Data
    }

    private enum Input: Sendable {
        /// Elements wait.
        case elements
        case end(Event<Never>)
        case stored(Int, PublishAcknowledgement)
        case failed(Int, any Error)
        case resume
    }

    private struct State: Sendable {
        var window: PublishWindow<Prepared>
        var failures = 0
        /// Elements that arrive before the next round count as no failures.
        var isResumptionPlanned = false
        var lastError: any Error = NATSError.closed
        var hasEnded = false
        /// The ids of the messages that others may follow: of those in the window, and of the one before.
        var ids: [Int: String] = [:]
        /// The ids of messages before this one are forgotten.
        var firstID = 0

        mutating func forgetIDs() {
            while firstID < window.first - 1 {
                ids[firstID] = nil
                firstID += 1
            }
        }
    }

    private let bus: NATSConnection
    private let stream: String
    private let configuration: StoreConfiguration
    private let observer: AnyObserver<PublishAcknowledgement>
    private let inputs = PublishSubject<Input>()
    private let resumption = SerialDisposable()
    private let requests: CompositeDisposable
    private let waiting: Lock<WaitingElements<Prepared>>
    private let state: SerialState<State>

    init(_ stream: NATSStream, _ configuration: StoreConfiguration, _ observer: AnyObserver<PublishAcknowledgement>) {
        bus = stream.bus
        self.stream = stream.name
        self.configuration = configuration
        self.observer = observer
        requests = CompositeDisposable([resumption])
        waiting = Lock(WaitingElements(configuration.overflow))
        state = SerialState(State(window: PublishWindow(capacity: configuration.maximumInFlight)))
    }

    func start(_ elements: Observable<Prepared>) -> any Disposable {
        _ = requests.insert(inputs.subscribe(onNext: { [self] in handle($0) }))
        let source = elements.map { [self] in try admit($0) }.subscribe { [inputs] event in
            switch event {
            case .next(let isFirst): if isFirst { inputs.onNext(.elements) }
            case .error(let error): inputs.onNext(.end(.error(error)))
            case .completed: inputs.onNext(.end(.completed))
            }
        }
        _ = requests.insert(source)
        return requests
    }

    /// Lets an element wait. They are counted here and not among the inputs, which are queued without bound while one is handled.
    ///
    /// - Returns: whether `inputs` has to be told that elements wait.
    /// - Throws: `StreamError.overflow(capacity:)`, as an error of upstream.
    private func admit(_ element: Prepared) throws -> Bool {
        let (outcome, isFirst) = waiting.withLock { $0.append(element) }
        if case .overflow(let capacity) = outcome { throw StreamError.overflow(capacity: capacity) }
        return isFirst
    }

    private func handle(_ input: Input) {
        switch input {
        case .elements: waiting.withLock { $0.isAnnounced = false }
        case .end(.completed): state.value.hasEnded = true
        case .end(.error(let error)): return observer.onError(error)
        case .end(.next): break
        case .stored(let number, let acknowledgement):
            state.value.failures = 0
            for ready in state.value.window.didStore(number, acknowledgement) { observer.onNext(ready) }
            state.value.forgetIDs()
        case .failed(let number, let error):
            guard error.isTransientInJetStream || error.isWrongLastMessage else { return observer.onError(error) }
            state.value.window.didFail(number)
            state.value.lastError = error
        case .resume:
            state.value.isResumptionPlanned = false
            state.value.window.resume()
        }
        if state.value.window.isSettled, !state.value.isResumptionPlanned { planResumption() }
        sendNext()
        if state.value.hasEnded, state.value.window.isEmpty, waiting.withLock({ $0.isEmpty }) { observer.onCompleted() }
    }

    private func planResumption() {
        state.value.isResumptionPlanned = true
        state.value.failures += 1
        let error = state.value.lastError
        guard let delay = configuration.retry.delay(after: error, failures: state.value.failures) else { return observer.onError(error) }
        resumption.disposable = bus.configuration.scheduler.schedule(after: delay) { [inputs] in inputs.onNext(.resume) }
    }

    private func sendNext() {
        while let send = state.value.window.nextSend(from: { waiting.withLock { $0.popFirst() } }) {
            var headers: NATSHeaders = ["Nats-Msg-Id": send.element.id]
            if configuration.isOnlyPublisher {
                state.value.ids[send.number] = send.element.id
                if let predecessor = send.predecessor { headers["Nats-Expected-Last-Msg-Id"] = state.value.ids[predecessor] }
            }
            publish(send, headers)
        }
    }

    private func publish(_ send: PublishWindow<Prepared>.Send, _ headers: NATSHeaders) {
        let (number, element) = (send.number, send.element)
        let timeout = configuration.acknowledgementTimeout
        let answer = bus.request(element.payload, to: element.subject, headers: headers, timeout: timeout).asObservable()
        let request = SerialDisposable()
        let key = requests.insert(request)
        request.disposable = answer.subscribe { [self] event in
            switch event {
            case .next(let message):
                do throws(NATSError) {
                    let stored = try JetStreamAPI.decode(PublishAcknowledgement.self, from: message.body, of: element.subject)
                    try stored.check(of: stream)
                    inputs.onNext(.stored(number, stored))
                } catch { inputs.onNext(.failed(number, error)) }
            case .error(let error):
                inputs.onNext(.failed(number, error.asJetStreamError))
                if let key { requests.remove(for: key) }
            case .completed: if let key { requests.remove(for: key) }
            }
        }
    }
}

extension Error {
    /// Whether a message was refused because the one that it follows is not stored.
    fileprivate var isWrongLastMessage: Bool {
        if case NATSError.jetStream(let error) = self as any Error { error.code == 10_070 } else { false }
    }
}
