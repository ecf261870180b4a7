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
    @inlinable
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        let (source, dueTime) = (asObservable(), dueTime.clamped)
        return Observable { downstream, lifetime in
            let serializer = SharedSerializer(lifetime)
            let pending = SerialState(ElementQueue<DelayedEvent<Element>>())
            let timer = RestartableTimer(scheduler, in: serializer) { timer in
                var now = scheduler.now
                while !lifetime.isDisposed, let time = pending.value.first?.time {
                    // Events that have become due meanwhile need no timer.
                    if time > now { now = scheduler.now }
                    guard time <= now, !lifetime.isSuspended else { return timer.start(at: time) }
                    if let first = pending.value.popFirst() { downstream.on(first.event) }
                }
            }
            // The closure is created once: one for each event would be allocated.
            let receive: @Sendable (consuming DelayedEvent<Element>) -> Void = { input in
                guard input.event.error == nil else { return downstream.on(input.event) }
                let time = input.time
                pending.value.append(input)
                if pending.value.count == 1 { timer.start(at: time) }
            }
            source.subscribe(in: serializer.gate) { event in
                serializer.serialize(DelayedEvent(time: scheduler.now + dueTime, event: event), receive)
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
    @inlinable
    public func delaySubscription(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            ScheduledStart.plan(in: lifetime, on: scheduler, after: dueTime) { source.startLast(downstream, lifetime) }
        }
    }
}

/// An event, and when it is emitted. A closure that takes a tuple would be wrapped in another one for each call.
@usableFromInline
struct DelayedEvent<Element: Sendable>: Sendable {
    @usableFromInline let time: Duration
    @usableFromInline let event: Event<Element>

    @inlinable
    init(time: Duration, event: consuming Event<Element>) {
        self.time = time
        self.event = event
    }
}
