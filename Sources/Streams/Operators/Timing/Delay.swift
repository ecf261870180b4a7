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
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let line = DelayLine(downstream, lifetime, dueTime: dueTime, scheduler: scheduler)
            let upstream = lifetime.child()
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    guard upstream.admits(event) else { return }
                    line.take(event)
                }, upstream)
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

/// The pending events of a `delay`, with one timer.
private final class DelayLine<Element: Sendable>: @unchecked Sendable {
    private let serializer: SharedSerializer
    private let downstream: AnyObserver<Element>
    private let dueTime: Duration
    private let scheduler: any Scheduler
    private let lifetime: Lifetime
    private let timer = SerialDisposable()
    /// Law 2: accessed only inside the serializer.
    private var waiting = ElementQueue<(time: Duration, event: Event<Element>)>()

    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, dueTime: Duration, scheduler: any Scheduler) {
        self.downstream = downstream
        serializer = SharedSerializer(lifetime)
        self.lifetime = lifetime
        self.dueTime = dueTime.clamped
        self.scheduler = scheduler
        lifetime.add(timer)
    }

    func take(_ event: Event<Element>) {
        let time = scheduler.now + dueTime
        serializer.run { [self] in
            if case .error = event {
                waiting = ElementQueue()
                return send(event)
            }
            waiting.append((time, event))
            if waiting.count == 1 { plan() }
        }
    }

    private func plan() {
        guard let first = waiting.first else { return }
        timer.disposable = scheduler.schedule(after: first.time - scheduler.now) { [self] in
            serializer.run { [self] in fire() }
        }
    }

    private func fire() {
        let now = scheduler.now
        while let first = waiting.first, first.time <= now {
            _ = waiting.popFirst()
            send(first.event)
        }
        plan()
    }

    private func send(_ event: Event<Element>) {
        guard !lifetime.isDisposed else { return }
        downstream.on(event)
    }
}
