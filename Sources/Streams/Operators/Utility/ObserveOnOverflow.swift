import Schedulers

extension ObservableType {
    /// Emits all events on `scheduler`, as ``observe(on:)``, and buffers as many elements there as `policy` allows.
    ///
    /// ```swift
    /// numbers.observe(on: scheduler, overflow: .latest)
    /// // -1-2-3-|
    /// // -1-2-3-|        a slow consumer would get the latest only
    /// ```
    ///
    /// With a policy other than `unbounded` elements are dispatched to the scheduler one at a time, so that all queued elements count. The
    /// terminal event is delivered after them.
    /// Source: [RxJava, onBackpressureBuffer](https://reactivex.io/documentation/operators/backpressure.html).
    public func observe(on scheduler: any Scheduler, overflow policy: BufferingPolicy) -> Observable<Element> {
        guard policy != .unbounded else { return observe(on: scheduler) }
        let source = asObservable()
        return Observable { downstream, lifetime in
            let queue = ScheduledDrainQueue(downstream, policy: policy, scheduler, parent: lifetime)
            guard queue.attach() else { return }
            let upstream = lifetime.child()
            source.start(
                AnyObserver { event in
                    guard upstream.admits(event) else { return }
                    guard let failure = queue.take(event) else { return }
                    upstream.dispose()
                    _ = queue.take(.error(failure))
                }, upstream)
        }
    }
}

/// A drain queue for a scheduler that follows a buffering policy.
private final class ScheduledDrainQueue<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    // Law 3: the state is accessed only under the lock.
    private struct State {
        var waiting: PolicyBuffer<Element>
        var stop: Event<Element>?
        /// Whether events are being delivered, or a delivery is scheduled.
        var isBusy = false
    }

    private let state: Lock<State>
    private let downstream: AnyObserver<Element>
    private let scheduler: any Scheduler
    private let planned = PlannedAction()
    private let mark = Resources.Mark("ScheduledDrainQueue")

    init(_ downstream: AnyObserver<Element>, policy: BufferingPolicy, _ scheduler: any Scheduler, parent: Lifetime) {
        state = Lock(State(waiting: PolicyBuffer(policy)))
        self.downstream = downstream
        self.scheduler = scheduler
        super.init(parent: parent)
    }

    /// Enqueues an event; returns the error of an overflow.
    func take(_ event: Event<Element>) -> StreamError? {
        let (outcome, mustPlan) = state.withLock { state -> (PolicyBuffer<Element>.Outcome, Bool) in
            var outcome = PolicyBuffer<Element>.Outcome.kept
            if case .next(let element) = event { outcome = state.waiting.append(element) } else { state.stop = event }
            defer { state.isBusy = true }
            return (outcome, !state.isBusy)
        }
        if mustPlan { plan() }
        guard case .overflow(let capacity) = outcome else { return nil }
        return .overflow(capacity: capacity)
    }

    override func tearDown() {
        planned.dispose()
        // Passed out of the lock: the elements are a user's values.
        _ = state.withLock { state in (state.waiting.removeAll(), state.stop.take()) }
    }

    private func plan() {
        planned.plan { scheduler.schedule { [self] in deliver() } }
    }

    /// Delivers one event and schedules the next delivery.
    private func deliver() {
        let next = state.withLock { state -> Event<Element>? in
            let next = state.waiting.popFirst().map { .next($0) } ?? state.stop.take()
            if next == nil { state.isBusy = false }
            return next
        }
        guard let next, isAlive else { return }
        downstream.on(next)
        if !next.isStopEvent { plan() }
    }
}
