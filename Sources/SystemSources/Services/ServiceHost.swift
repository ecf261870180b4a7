import Foundation

/// Runs the work of a service until it is asked to stop: gracefully, with a time limit, and at once when it is asked again.
///
/// ```swift
/// let outcome = try await ServiceHost(stopLimit: .seconds(10)).run { environment in
///     let configuration = environment.reloads.startWith(()).map { try Configuration(file) }
///     return configuration.flatMapLatest { serve($0) }.take(until: environment.stopRequests)
/// }.value
/// exit(outcome.exitCode)
/// ```
public struct ServiceHost: Sendable {
    private let stopLimit: Duration
    private let stopSignals: Observable<Int32>
    private let reloadSignals: Observable<Int32>
    private let scheduler: any Scheduler

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - stopLimit: the time that the work may take to complete after it was asked to stop.
    ///   - stopSignals: the signals that ask it to stop; by default SIGTERM and SIGINT, on the main loop.
    ///   - reloadSignals: the signals that ask it to reload; by default SIGHUP, on the main loop.
    ///   - scheduler: the scheduler that measures the limit.
    public init(
        stopLimit: Duration = .seconds(10), stopSignals: Observable<Int32> = MainLoop.signals(SIGTERM, SIGINT),
        reloadSignals: Observable<Int32> = MainLoop.signals(SIGHUP),
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
    ) {
        self.stopLimit = stopLimit
        self.stopSignals = stopSignals
        self.reloadSignals = reloadSignals
        self.scheduler = scheduler
    }

    /// Runs the work and emits its outcome; never fails. The elements of the work are dropped.
    ///
    /// At the first stop signal `stopRequests` emits, and the work should complete. The work is disposed when `stopLimit` has passed, or at
    /// once at the second signal; then the outcome is emitted. While subscribed, the previous actions of the signals do not run.
    public func run<Work: ObservableConvertibleType>(
        _ work: @escaping @Sendable (Environment) throws -> Work
    ) -> Single<Outcome> {
        Observable.create { observer in
            let run = ServiceRun(stopLimit, scheduler, observer)
            run.start(stopSignals, reloadSignals) { try work($0).asObservable().map { _ in } }
            return run
        }.take(1).asSingle()
    }
}

extension ServiceHost {
    /// The requests of the system to a service.
    public struct Environment: Sendable {
        /// Emits each time the service is asked to reload its configuration.
        public let reloads: Observable<Void>
        /// Emits the signal that asks the service to stop, once, and completes; later subscribers receive it too.
        public let stopRequests: Observable<Int32>
    }

    /// The outcome of the work of a service.
    public enum Outcome: Sendable {
        /// The work completed by itself.
        case completed
        /// The work failed.
        case failed(any Error)
        /// The work completed after this signal, within the limit.
        case stopped(signal: Int32)
        /// The work did not complete within the limit after this signal, and was disposed.
        case stopLimitExceeded(signal: Int32)
        /// The work was disposed at the second signal, which was this one.
        case interrupted(signal: Int32)

        /// The exit code that shells and supervisors expect: 0 if the work completed, 1 if it failed, 128 plus the signal if it was
        /// disposed.
        public var exitCode: Int32 {
            switch self {
            case .completed, .stopped: 0
            case .failed: 1
            case .stopLimitExceeded(let signal), .interrupted(let signal): 128 + signal
            }
        }
    }
}

/// One run of a service.
private final class ServiceRun: Disposable {
    private let stopLimit: Duration
    private let scheduler: any Scheduler
    private let observer: AnyObserver<ServiceHost.Outcome>
    private let stopRequests = ReplaySubject<Int32>(bufferSize: 1)
    private let firstSignal = Lock<Int32?>(nil)
    private let work = SerialDisposable()
    private let rest = CompositeDisposable()

    init(_ stopLimit: Duration, _ scheduler: any Scheduler, _ observer: AnyObserver<ServiceHost.Outcome>) {
        (self.stopLimit, self.scheduler, self.observer) = (stopLimit, scheduler, observer)
    }

    func start(
        _ stopSignals: Observable<Int32>, _ reloadSignals: Observable<Int32>,
        _ body: @escaping @Sendable (ServiceHost.Environment) throws -> Observable<Void>
    ) {
        let environment = ServiceHost.Environment(reloads: reloadSignals.map { _ in }, stopRequests: stopRequests.asObservable())
        _ = rest.insert(stopSignals.subscribe(onNext: { [self] in receive($0) }, onError: { [self] in finish(.failed($0)) }))
        work.disposable = Observable.deferred { try body(environment) }.subscribe(
            onError: { [self] in finish(.failed($0)) },
            onCompleted: { [self] in finish(firstSignal.withLock { $0 }.map { .stopped(signal: $0) } ?? .completed) })
    }

    func dispose() {
        work.dispose()
        rest.dispose()
    }

    private func receive(_ signal: Int32) {
        let isFirst = firstSignal.withLock { first in
            defer { first = first ?? signal }
            return first == nil
        }
        guard isFirst else { return finish(.interrupted(signal: signal)) }
        _ = rest.insert(scheduler.schedule(after: stopLimit) { [self] in finish(.stopLimitExceeded(signal: signal)) })
        stopRequests.onNext(signal)
        stopRequests.onCompleted()
    }

    private func finish(_ outcome: ServiceHost.Outcome) {
        work.dispose()
        observer.onNext(outcome)
    }
}
