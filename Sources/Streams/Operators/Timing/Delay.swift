import Schedulers

extension ObservableType {
    /// Emits each element, and the completion, `dueTime` later, on `scheduler`; an error is forwarded immediately and drops pending
    /// elements.
    ///
    /// ```swift
    /// numbers.delay(.seconds(2), scheduler: scheduler)
    /// // --1--2--|
    /// // ----1--2--|
    /// ```
    ///
    /// Upstream is disposed at its terminal event. Pending elements are buffered without bound, with one timer.
    /// Source: [ReactiveX, Delay](https://reactivex.io/documentation/operators/delay.html).
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        let (source, dueTime) = (asObservable(), dueTime.clamped)
        return Observable { downstream, lifetime in
            let serializer = SharedSerializer(lifetime)
            let pending = SerialState(ElementQueue<(time: Duration, event: Event<Element>)>())
            let timer = RestartableTimer(scheduler, in: serializer) { timer in
                let now = scheduler.now
                while lifetime.mayEmit, let first = pending.value.first, first.time <= now {
                    _ = pending.value.popFirst()
                    downstream.on(first.event)
                }
                if let first = pending.value.first { timer.start(after: first.time - scheduler.now) }
            }
            source.subscribe(in: lifetime.child()) { event in
                let time = scheduler.now + dueTime
                serializer.run {
                    guard event.error == nil else { return downstream.on(event) }
                    pending.value.append((time, event))
                    if pending.value.count == 1 { timer.start(after: time - scheduler.now) }
                }
            }
        }
    }

    /// Subscribes to this stream `dueTime` later, on `scheduler`.
    ///
    /// ```swift
    /// numbers.delaySubscription(.seconds(3), scheduler: scheduler)
    /// // --1--2--|
    /// // -----2--|        this one is hot
    /// ```
    ///
    /// The timer is cancelled with the subscription. Source: [ReactiveX, Delay](https://reactivex.io/documentation/operators/delay.html).
    public func delaySubscription(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            DelayedStart.plan(in: lifetime, on: scheduler, after: dueTime) { source.startLast(downstream, lifetime) }
        }
    }
}
