import Schedulers

extension Context {
    /// Sends data when no outcome came after it for `dueTime`, on `scheduler`. An error and a cancel pass at once and drop what waits.
    public final func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Context<Model> {
        derive { outcomes, _ in
            outcomes.flatMapLatest { outcome in
                guard case .data = outcome else { return Observable.just(outcome) }
                return Observable.just(outcome).delay(dueTime, scheduler: scheduler)
            }
        }
    }

    /// Sends data and then, for `dueTime`, none; with `latest` the last one that came meanwhile is sent at the end of that time.
    ///
    /// An error and a cancel pass at once and drop what waits.
    public final func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Context<Model> {
        derive { outcomes, _ in
            Observable { downstream, lifetime in
                let throttle = OutcomeThrottle(downstream, lifetime, dueTime: dueTime, latest: latest, scheduler: scheduler)
                let upstream = lifetime.child()
                outcomes.start(
                    throttle.gate.entering { event in
                        guard event.isStopEvent ? upstream.end() : !upstream.isDisposed else { return }
                        throttle.take(event)
                    }, upstream)
            }
        }
    }

    /// Fails with `StreamError.timeout` when there is no outcome within `dueTime`, and cancels the operation then.
    ///
    /// What follows the first outcome has no limit. A `retry` behind it runs the operation again, with the same time for each attempt.
    public final func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Context<Model> {
        derive { outcomes, _ in
            Observable { downstream, lifetime in
                let deadline = OutcomeDeadline(downstream, lifetime, dueTime: dueTime, scheduler: scheduler)
                deadline.plan()
                let upstream = lifetime.child()
                outcomes.start(
                    deadline.gate.entering { event in
                        guard event.isStopEvent ? upstream.end() : !upstream.isDisposed else { return }
                        deadline.take(event)
                    }, upstream)
            }
        }
    }
}

/// Lets data through at most once in a while. Law 2: the variables are used only inside the gate.
private final class OutcomeThrottle<Model: Sendable>: @unchecked Sendable {
    let gate = Gate()
    private let downstream: AnyObserver<Outcome<Model>>
    private let lifetime: Lifetime
    private let dueTime: Duration
    private let latest: Bool
    private let scheduler: any Scheduler
    private let timer = SerialDisposable()
    private var lastSent: Duration?
    private var trailing: Outcome<Model>?
    private var isCompleted = false

    init(
        _ downstream: AnyObserver<Outcome<Model>>, _ lifetime: Lifetime, dueTime: Duration, latest: Bool, scheduler: any Scheduler
    ) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.dueTime = dueTime
        self.latest = latest
        self.scheduler = scheduler
        lifetime.add(timer)
    }

    func take(_ event: Event<Outcome<Model>>) {
        switch event {
        case .next(.data(let model)): take(model)
        case .next(let outcome):
            trailing = nil
            downstream.onNext(outcome)
        case .error, .completed:
            isCompleted = true
            if trailing == nil { downstream.onCompleted() }
        }
    }

    private func take(_ model: Model) {
        let now = scheduler.now
        guard let lastSent, now - lastSent < dueTime else {
            lastSent = now
            trailing = nil
            return downstream.onNext(.data(model))
        }
        guard latest else { return }
        let isPlanned = trailing != nil
        trailing = .data(model)
        guard !isPlanned else { return }
        timer.disposable = scheduler.schedule(after: lastSent + dueTime - now) { [self] in
            gate.run { [self] in fire() }
        }
    }

    private func fire() {
        guard !lifetime.isDisposed, let outcome = trailing.take() else { return }
        lastSent = scheduler.now
        downstream.onNext(outcome)
        if isCompleted, !lifetime.isDisposed { downstream.onCompleted() }
    }
}

/// Waits for the first outcome. Law 2: the variables are used only inside the gate.
private final class OutcomeDeadline<Model: Sendable>: @unchecked Sendable {
    let gate = Gate()
    private let downstream: AnyObserver<Outcome<Model>>
    private let lifetime: Lifetime
    private let dueTime: Duration
    private let scheduler: any Scheduler
    private let timer = SerialDisposable()
    private var isInTime = false

    init(_ downstream: AnyObserver<Outcome<Model>>, _ lifetime: Lifetime, dueTime: Duration, scheduler: any Scheduler) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.dueTime = dueTime
        self.scheduler = scheduler
        lifetime.add(timer)
    }

    func plan() {
        timer.disposable = scheduler.schedule(after: dueTime) { [self] in
            gate.run { [self] in fire() }
        }
    }

    func take(_ event: Event<Outcome<Model>>) {
        // A context that goes without an outcome still times out.
        guard isInTime || event.element != nil else { return }
        isInTime = true
        timer.dispose()
        downstream.on(event)
    }

    /// Fails and completes; completing lets upstream go, which cancels the operation.
    private func fire() {
        guard !lifetime.isDisposed, !isInTime else { return }
        downstream.finish(with: .failure(StreamError.timeout(after: dueTime)), in: lifetime)
    }
}
