import Foundation
import SocketNodes

/// One subscription of a `store(in:)`.
///
/// The session is a boundary: the source is suspended while downstream is, and while as many elements wait as the policy allows. A
/// suspended session sends nothing. Its inputs go through a subject, which serializes them, so its state needs no lock (law 2).
final class StoreSession: Sendable {
    /// An element that was checked and encoded.
    struct Prepared: Sendable {
        let subject: String
        let id: String
        let payload: Data
    }

    private enum Input: Sendable {
        /// Elements are waiting.
        case elements
        case end(Event<Never>)
        case stored(Int, NATSStream.Acknowledgement)
        case failed(Int, any Error)
        /// The delay after a failure has passed.
        case resume
        /// Downstream is no longer suspended.
        case resumed
    }

    private struct State: Sendable {
        var window: PublishWindow<Prepared>
        var failures = 0
        /// Whether a resumption is planned; elements that arrive before it do not count as failures.
        var isResumptionPlanned = false
        var lastError: any Error = NATSError.closed
        var hasEnded = false
        /// The ids of the messages that others may follow: of those in the window, and of the one before it.
        var ids: [Int: String] = [:]
        /// The number of the first message whose id is remembered.
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
    private let configuration: NATSStream.StoreConfiguration
    private let outlet: Outlet<NATSStream.Acknowledgement>
    private let gate: Gate
    private let inputs = PublishSubject<Input>()
    private let resumption = SerialDisposable()
    private let requests: CompositeDisposable
    private let waiting: Lock<WaitingElements<Prepared>>
    private let state: SerialState<State>

    init(
        _ stream: NATSStream, _ configuration: NATSStream.StoreConfiguration, _ observer: AnyObserver<NATSStream.Acknowledgement>,
        in lifetime: Lifetime
    ) {
        bus = stream.bus
        outlet = Outlet(observer, lifetime)
        // Not on the thread of the connection, which receives acknowledgements: a source may block.
        gate = lifetime.boundary(resumingOn: stream.bus.configuration.scheduler)
        self.stream = stream.name
        self.configuration = configuration
        requests = CompositeDisposable([resumption, gate])
        waiting = Lock(WaitingElements(configuration.overflow, suspending: gate))
        state = SerialState(State(window: PublishWindow(capacity: configuration.maximumInFlight)))
    }

    func start(_ elements: Observable<Prepared>) -> any Disposable {
        _ = requests.insert(inputs.subscribe(onNext: { [self] in handle($0) }))
        elements.map { [self] in try admit($0) }.subscribe(in: gate) { [inputs] event in
            switch event {
            case .next(let isFirst): if isFirst { inputs.onNext(.elements) }
            case .error(let error): inputs.onNext(.end(.error(error)))
            case .completed: inputs.onNext(.end(.completed))
            }
        }
        return requests
    }

    /// Adds an element to those that wait. They are counted here and not among the inputs, which are queued without bound while one is
    /// handled.
    ///
    /// - Returns: whether `inputs` must be told that elements wait.
    /// - Throws: `StreamError.overflow(capacity:)`, as an error of upstream.
    private func admit(_ element: Prepared) throws -> Bool {
        let (effect, isFirst) = waiting.withLock { $0.append(element) }
        if case .overflow(let capacity) = effect { throw StreamError.overflow(capacity: capacity) }
        effect.perform()
        return isFirst
    }

    /// Takes the oldest of the waiting elements, and resumes the source if that was the last.
    private func takeFirst() -> Prepared? {
        let (element, effect) = waiting.withLock { $0.popFirst() }
        effect.perform()
        return element
    }

    private func handle(_ input: Input) {
        switch input {
        case .elements: waiting.withLock { $0.isAnnounced = false }
        case .end(.completed): state.value.hasEnded = true
        case .end(.error(let error)): return fail(error)
        case .end(.next): break
        case .stored(let number, let acknowledgement):
            state.value.failures = 0
            for ready in state.value.window.didStore(number, acknowledgement) { outlet.emit(.next(ready)) }
            state.value.forgetIDs()
        case .failed(let number, let error):
            guard error.isTransientInJetStream || error.isWrongLastMessage else { return fail(error) }
            state.value.window.didFail(number)
            state.value.lastError = error
        case .resume:
            state.value.isResumptionPlanned = false
            state.value.window.resume()
        case .resumed: outlet.didResume()
        }
        if state.value.window.isSettled, !state.value.isResumptionPlanned { planResumption() }
        sendNext()
        if state.value.hasEnded, state.value.window.isEmpty, waiting.withLock({ $0.isEmpty }) { outlet.emit(.completed) }
    }

    /// Sends nothing more, even while the error has to wait for acknowledgements because downstream is suspended.
    private func fail(_ error: any Error) {
        requests.dispose()
        outlet.emit(.error(error))
    }

    private func planResumption() {
        state.value.isResumptionPlanned = true
        state.value.failures += 1
        let error = state.value.lastError
        guard let delay = configuration.retry.delay(after: error, failures: state.value.failures) else { return fail(error) }
        resumption.disposable = bus.configuration.scheduler.schedule(after: delay) { [inputs] in inputs.onNext(.resume) }
    }

    private func sendNext() {
        while outlet.awaitReadiness({ [inputs] in inputs.onNext(.resumed) }), let send = state.value.window.nextSend(from: takeFirst) {
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
                    let stored = try JetStreamAPI.decode(NATSStream.Acknowledgement.self, from: message.body, of: element.subject)
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
    /// Whether a message was refused because its predecessor is not stored.
    fileprivate var isWrongLastMessage: Bool {
        if case NATSError.jetStream(let error) = self as any Error { error.code == 10_070 } else { false }
    }
}
