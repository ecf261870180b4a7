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
    /// Upstream is disposed then, on `scheduler`. An element schedules no new timer. Source: [ReactiveX,
    /// Timeout](https://reactivex.io/documentation/operators/timeout.html).
    @inlinable
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
    /// Upstream is disposed before `other` is subscribed to, on `scheduler`. An element schedules no new timer.
    /// Source: [ReactiveX, Timeout](https://reactivex.io/documentation/operators/timeout.html).
    @inlinable
    public func timeout(
        _ dueTime: Duration, other: some ObservableConvertibleType<Element>, scheduler: any Scheduler
    ) -> Observable<Element> {
        timeout(dueTime, other: other, scheduler: scheduler, onlyFirst: false)
    }

    /// Continues with `other` in the same way; with `onlyFirst` there is no limit after the first element, and a completion without one
    /// does not stop the clock.
    @inlinable
    func timeout(
        _ dueTime: Duration, other: some ObservableConvertibleType<Element>, scheduler: any Scheduler, onlyFirst: Bool
    ) -> Observable<Element> {
        let (source, dueTime) = (asObservable(), dueTime.clamped)
        let other = other.asObservable()
        return Observable { downstream, lifetime in
            let upstream = lifetime.boundary()
            // The timer ends with upstream: nothing of it is retained while the other stream is active.
            let serializer = SharedSerializer(upstream, gate: upstream)
            let timer = RestartableTimer(scheduler, in: serializer, resumed: { $0.start(after: dueTime) }) { _ in
                // Upstream is disposed in serial order, so that no event of it follows.
                guard upstream.end() else { return }
                other.startLast(downstream, lifetime)
            }
            serializer.run { timer.start(after: dueTime) }
            let isFirst = SerialState(true)
            serializer.subscribe(toMain: source) { event in
                if onlyFirst, isFirst.value, case .completed = event { return }
                isFirst.value = false
                guard upstream.admit(event) else { return }
                if onlyFirst { timer.stop() } else { timer.start(after: dueTime) }
                downstream.on(event)
            }
        }
    }
}
