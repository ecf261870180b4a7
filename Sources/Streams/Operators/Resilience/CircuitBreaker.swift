import Foundation
import Schedulers
import Synchronization

/// Rejects subscriptions for a while when their source fails too often: the source can recover, and no subscriber waits for it.
///
/// ```swift
/// let breaker = CircuitBreaker(.failures(5, within: .seconds(30)), openFor: .seconds(10)) { !($0 is CancellationError) }
/// let answer = request.circuitBreaker(breaker)
/// breaker.state.subscribe(onNext: { print("the breaker is \($0)") }).disposed(by: bag)
/// ```
///
/// **Closed**, the breaker permits every call and counts failures. At the threshold it **opens**, and rejects every call. The first call
/// after `openFor` finds it **half open**: it permits `trialCalls`, and closes when all of them have succeeded; the first failure opens it
/// again. A call that began in an earlier state does not count.
///
/// A call is one subscription. It fails with an error for which `isFailure` returns `true`, and succeeds when it completes or ends with
/// another error. A trial succeeds at its first element. A call that is disposed before its end has succeeded if it has emitted an element,
/// and counts for nothing otherwise; a trial leaves its place to another. A trial without an end keeps the breaker half open: give the
/// source a `timeout`, which also makes a slow call a failure.
///
/// One breaker is shared by all requests to one service. It is usable from any thread, and needs no timer.
/// Source: [Martin Fowler, CircuitBreaker](https://martinfowler.com/bliki/CircuitBreaker.html).
public final class CircuitBreaker: Sendable {
    /// The way in which a circuit breaker treats calls.
    public enum State: Equatable, Sendable {
        /// Permits every call.
        case closed
        /// Rejects every call, until its time is over.
        case open
        /// Permits trial calls.
        case halfOpen
        /// Rejects every call, until `reset()`.
        case forcedOpen
    }

    /// The figures of a circuit breaker.
    public struct Metrics: Equatable, Sendable {
        /// The state. It changes from open to half open with the first call after the time, not with the time.
        public internal(set) var state = State.closed
        /// The number of calls that have been permitted.
        public internal(set) var permitted = 0
        /// The number of calls that have been rejected.
        public internal(set) var rejected = 0
        /// The number of calls that have succeeded.
        public internal(set) var succeeded = 0
        /// The number of calls that have failed.
        public internal(set) var failed = 0
        /// The number of calls that were disposed before they succeeded or failed.
        public internal(set) var cancelled = 0
        /// The number of times that the breaker has opened.
        public internal(set) var opened = 0

        fileprivate var figures: String {
            "\(state), \(permitted) permitted, \(rejected) rejected, \(succeeded) succeeded, \(failed) failed, opened \(opened) times"
        }
    }

    private let circuit: MeasuredState<Circuit>
    private let scheduler: any Scheduler
    private let isFailure: @Sendable (any Error) -> Bool

    /// Creates a closed circuit breaker.
    ///
    /// - Parameters:
    ///   - threshold: the rule that opens the breaker.
    ///   - time: how long it stays open; a negative time is treated as zero.
    ///   - trialCalls: how many calls must succeed to close it, and how many of them may run at once; values below one are treated as one.
    ///   - scheduler: the scheduler that measures the time.
    ///   - isFailure: returns whether an error is a failure of the source; by default each one is. Called for each error, on its thread.
    public init(
        _ threshold: Threshold, openFor time: Duration, trialCalls: Int = 1,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated),
        isFailure: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) {
        circuit = MeasuredState(
            Circuit(window: FailureWindow(threshold), openDuration: max(.zero, time.clamped), trialCalls: max(1, trialCalls)))
        self.scheduler = scheduler
        self.isFailure = isFailure
        Probe.shown(self, as: "CircuitBreaker") { Probe.Facts($0.currentMetrics.figures) }
    }

    /// The current state, and then each change of it, on the thread of the change. Never terminates.
    public var state: Observable<State> { circuit.figures { $0.metrics.state } }

    /// The current figures, and then each change of them, on the thread of the change. Never terminates.
    public var metrics: Observable<Metrics> { circuit.figures { $0.metrics } }

    /// The current figures.
    public var currentMetrics: Metrics { circuit.read { $0.metrics } }

    /// Rejects every call until `reset()`: for maintenance, or for a source that you know is down.
    public func forceOpen() {
        circuit.update { $0.enter(.forcedOpen) }
    }

    /// Closes the breaker, and forgets the failures that it has counted.
    public func reset() {
        circuit.update { $0.enter(.closed) }
    }

    /// Registers a call in `upstream`, if the circuit permits one.
    @usableFromInline
    func begin(in upstream: Lifetime) throws -> Call? {
        Probe.limited(by: self) { $0.currentMetrics.figures }
        let now = scheduler.now
        let permit = try circuit.update { circuit in Result { try circuit.permit(at: now) } }.get()
        let call = Call(permit, of: self, in: upstream)
        return call.attach() ? call : nil
    }

    fileprivate func settle(_ call: Call, _ outcome: CallOutcome) {
        let now = scheduler.now
        circuit.update { $0.settle(&call.permit, outcome, at: now) }
    }

    fileprivate func outcome(of error: any Error) -> CallOutcome {
        isFailure(error) ? .failed : .succeeded
    }
}

/// One permitted subscription.
@usableFromInline
final class Call: LifetimeMember, @unchecked Sendable {
    private enum Progress: Int, AtomicRepresentable {
        case begun, answered, settled
    }

    /// Law 3: accessed only under the breaker's lock.
    var permit: CallPermit
    private let isTrial: Bool
    private let breaker: CircuitBreaker
    private let progress = Atomic(Progress.begun)
    private let mark = Resources.Mark("CircuitBreaker.Call")

    init(_ permit: CallPermit, of breaker: CircuitBreaker, in upstream: Lifetime) {
        self.permit = permit
        self.breaker = breaker
        isTrial = permit.isTrial
        super.init(parent: upstream)
    }

    /// Records an element, before it is forwarded.
    @usableFromInline
    func answer() {
        guard progress.load(ordering: .relaxed) == .begun else { return }
        let (isFirst, _) = progress.compareExchange(expected: .begun, desired: .answered, ordering: .acquiringAndReleasing)
        if isFirst, isTrial { breaker.settle(self, .answered) }
    }

    /// Records the terminal event, before it is forwarded; `error` is `nil` for a completion.
    @usableFromInline
    func end(_ error: (any Error)?) {
        settle(error.map(breaker.outcome) ?? .succeeded)
    }

    @usableFromInline
    override func tearDown() {
        settle(progress.load(ordering: .acquiring) == .answered ? .succeeded : .cancelled)
    }

    private func settle(_ outcome: CallOutcome) {
        guard progress.exchange(.settled, ordering: .acquiringAndReleasing) != .settled else { return }
        breaker.settle(self, outcome)
    }
}

extension CircuitBreaker {
    /// The reason why a circuit breaker rejected a subscription.
    public enum Failure: RedactedError, Equatable {
        /// The breaker is open, and permits a trial after this time.
        case open(retryAfter: Duration)
        /// The breaker is half open, and this many trial calls run or have succeeded already.
        case halfOpen(trialCalls: Int)
        /// The breaker was opened by `forceOpen()`.
        case forcedOpen

        /// The time after which a trial is permitted, for `RetryPolicy.suggestedDelay`; `nil` if that time is not known.
        public var retryAfter: Duration? {
            switch self {
            case .open(let retryAfter): retryAfter
            case .halfOpen, .forcedOpen: nil
            }
        }
    }
}

extension CircuitBreaker.Failure: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .open(let retryAfter): "The circuit breaker is open; it permits a trial in \(retryAfter.displayText)."
        case .halfOpen(let count): "The circuit breaker is half open, and the permitted number of trial calls is \(count)."
        case .forcedOpen: "The circuit breaker has been forced open."
        }
    }

    public var errorDescription: String? { description }
}

extension ObservableType {
    /// Subscribes if `breaker` permits it, and reports the outcome to it; fails with a ``CircuitBreaker/Failure`` otherwise.
    ///
    /// ```swift
    /// request.circuitBreaker(breaker).retry(.delay(.seconds(2), maxAttempts: 2), scheduler: scheduler)
    /// // -#
    /// // ---#        the second attempt is rejected without a subscription: the first has opened the breaker
    /// ```
    ///
    /// Source: [resilience4j, CircuitBreaker](https://resilience4j.readme.io/docs/circuitbreaker).
    @inlinable
    public func circuitBreaker(_ breaker: CircuitBreaker) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let upstream = lifetime.child()
            let call: Call
            do {
                guard let permitted = try breaker.begin(in: upstream) else { return }
                call = permitted
            } catch {
                upstream.dispose()
                return downstream.onError(error)
            }
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    guard !upstream.isDisposed else { return }
                    if event.isStopEvent { call.end(event.error) } else { call.answer() }
                    guard upstream.admit(event) else { return }
                    downstream.on(event)
                }, upstream)
        }
    }
}
