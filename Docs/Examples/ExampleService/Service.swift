import Foundation
import SystemSources

/// The service as a stream of its log lines.
struct Service: Sendable {
    let jobs: URL
    let worker: Program
    let pause: Duration
    /// Emits when a new key is requested.
    var renewals = Observable<Void>.never()
    /// At most four workers run at once, wherever they are started.
    let workers = Bulkhead(maxConcurrent: 4, queueCapacity: 10_000)
    /// A worker that keeps failing is not run for a minute; a refused key is not its fault.
    var breaker = CircuitBreaker(.consecutiveFailures(20), openFor: .seconds(60)) { $0 as? ProgramError != .refused }
    var retries = RetryPolicy.delay(.milliseconds(20), maxAttempts: 3).when { $0 as? ProgramError == .ranOutOfTime }
    var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .utility)
    let health = ServiceHealth()

    /// Emits all log lines, round after round; never terminates.
    var lines: Observable<String> {
        .deferred { [self] in
            let indicator = LoadIndicator()
            let key = BehaviorRelay(value: "")
            let keys = TokenRefresherNode(chain: AnyNode<Void, String> { worker.output(["--key"]) }) { key.accept($0) }
            let activity = indicator.count.map { $0 > 0 }.distinctUntilChanged().skip(1).map { $0 ? "busy" : "idle" }
            let reading = health.check("jobs")
            let rounds = Observable<Int>.timer(.zero, period: pause, scheduler: scheduler)
                .flatMapFirst { _ in round(key, keys, reading).trackActivity(indicator) }
            let renewed = renewals.flatMapFirst { renewal(keys).asObservable() }
            let working = health.check("worker")
            let states = breaker.state.do(onNext: { working.on(.next($0 == .closed)) })
                .skip(1).map { "worker: circuit breaker \($0)" }
            return Observable.merge(activity, rounds, renewed, states)
        }
    }

    /// Requests a new key: one operation that runs with or without listeners, and reports its outcome.
    private func renewal(_ keys: TokenRefresherNode) -> Observer<String> {
        keys.process()
            .map { "key renewed" }
            .mapError { error in .emit(data: "key not renewed: \(error.localizedDescription)") }
    }

    /// Runs every job once. A job that fails permanently is reported; the others continue.
    private func round(_ key: BehaviorRelay<String>, _ keys: TokenRefresherNode, _ reading: ServiceHealth.Check) -> Observable<String> {
        jobs.lines.reported(to: reading).map { job in
            result(of: job, key, keys).catch { .just("\(job) failed: \($0.localizedDescription)") }
        }
        .merge()
        .catch { .just("no jobs: \($0.localizedDescription)") }
    }

    private func result(of job: String, _ key: BehaviorRelay<String>, _ keys: TokenRefresherNode) -> Observable<String> {
        Observable.deferred { worker.output([job, key.value]).map { "\(job): \($0)" } }
            .circuitBreaker(breaker)
            .bulkhead(workers)
            .refreshing(with: keys, when: { $0 as? ProgramError == .refused })
            .retry(retries, scheduler: scheduler)
    }
}
