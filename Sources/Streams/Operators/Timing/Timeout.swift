import Schedulers

extension ObservableType {
    /// Fails with `StreamError.timeout` when no event is received for `dueTime`, from the subscription on.
    ///
    /// ```swift
    /// numbers.timeout(.seconds(4), scheduler: scheduler)
    /// // --1--------2--|
    /// // --1---#
    /// ```
    ///
    /// Upstream is disposed then, on `scheduler`. An element schedules no timer.
    /// Source: [ReactiveX, Timeout](https://reactivex.io/documentation/operators/timeout.html).
    public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        timeout(dueTime, other: Observable.error(StreamError.timeout(after: dueTime)), scheduler: scheduler)
    }

    /// Continues with `other` when no event is received for `dueTime`, from the subscription on.
    ///
    /// ```swift
    /// numbers.timeout(.seconds(4), other: Observable.just(0), scheduler: scheduler)
    /// // --1--------2--|
    /// // --1---(0|)
    /// ```
    ///
    /// Upstream is disposed before `other` is subscribed to, on `scheduler`. An element schedules no timer.
    /// Source: [ReactiveX, Timeout](https://reactivex.io/documentation/operators/timeout.html).
    public func timeout(_ dueTime: Duration, other: some ObservableType<Element>, scheduler: any Scheduler) -> Observable<Element> {
        timeout(dueTime, other: other, scheduler: scheduler, onlyFirst: false)
    }

    /// The same; with `onlyFirst` there is no limit after the first element, and completing without one does not stop the clock.
    func timeout(
        _ dueTime: Duration, other: some ObservableType<Element>, scheduler: any Scheduler, onlyFirst: Bool
    ) -> Observable<Element> {
        let start = asObservable().start
        let other = other.asObservable()
        return Observable { downstream, lifetime in
            let upstream = lifetime.child()
            // The timer ends with upstream: nothing of it is retained while the other stream is active.
            let watch = Watch(dueTime: dueTime, scheduler: scheduler, upstream) {
                // The watch has disposed upstream in serial order, so that no event of upstream follows.
                guard upstream.end() else { return }
                other.startLast(downstream, lifetime)
            }
            watch.plan(after: dueTime)
            let isFirst = SerialState(true)
            start(
                watch.serializer.observer { event in
                    if onlyFirst, isFirst.value, case .completed = event { return }
                    isFirst.value = false
                    guard upstream.admits(event) else { return }
                    watch.lastEvent.value = scheduler.now
                    if onlyFirst { watch.timer.dispose() }
                    downstream.on(event)
                }, upstream)
        }
    }
}

/// Detects a pause between events. The timer is rescheduled only when it fires early, not at each event.
private final class Watch: Sendable {
    let serializer: SharedSerializer
    let timer = PlannedAction()
    let lastEvent: SerialState<Duration>
    private let dueTime: Duration
    private let scheduler: any Scheduler
    private let lifetime: Lifetime
    private let expire: @Sendable () -> Void

    init(dueTime: Duration, scheduler: any Scheduler, _ lifetime: Lifetime, _ expire: @escaping @Sendable () -> Void) {
        self.dueTime = dueTime.clamped
        self.scheduler = scheduler
        serializer = SharedSerializer(lifetime)
        self.lifetime = lifetime
        self.expire = expire
        lastEvent = SerialState(scheduler.now)
        lifetime.add(timer)
    }

    func plan(after delay: Duration) {
        timer.plan {
            scheduler.schedule(after: delay) { [self] in
                serializer.run { [self] in fire() }
            }
        }
    }

    private func fire() {
        let remaining = lastEvent.value + dueTime - scheduler.now
        guard remaining <= .zero else { return plan(after: remaining) }
        expire()
    }
}
