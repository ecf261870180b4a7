import Schedulers

extension ObservableType {
    /// Sends an element and then, for `dueTime`, none; with `latest` the last one that came meanwhile is sent at the end of that time, on
    /// `scheduler`.
    ///
    /// ```swift
    /// letters.throttle(.seconds(3), scheduler: scheduler)
    /// // -abc-----d|
    /// // -a--c----d|
    /// ```
    ///
    /// Completion waits for a trailing element that is due; an error drops it. Upstream is let go at its terminal event. Keeps one element.
    /// Source: [ReactiveX, Sample](https://reactivex.io/documentation/operators/sample.html).
    public func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let throttle = Throttle(downstream, lifetime, dueTime: dueTime, latest: latest, scheduler: scheduler)
            let upstream = lifetime.child()
            start(
                throttle.gate.entering { event in
                    guard event.isStopEvent ? upstream.end() : !upstream.isDisposed else { return }
                    throttle.take(event)
                }, upstream)
        }
    }
}

private final class Throttle<Element: Sendable>: @unchecked Sendable {
    let gate = Gate()
    private let downstream: AnyObserver<Element>
    private let lifetime: Lifetime
    private let dueTime: Duration
    private let latest: Bool
    private let scheduler: any Scheduler
    private let timer = SerialDisposable()
    /// Law 2: used only inside the gate, like what follows.
    private var lastSent: Duration?
    private var trailing: Element?
    private var isCompleted = false

    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, dueTime: Duration, latest: Bool, scheduler: any Scheduler) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.dueTime = dueTime
        self.latest = latest
        self.scheduler = scheduler
        lifetime.add(timer)
    }

    func take(_ event: Event<Element>) {
        switch event {
        case .next(let element): take(element)
        case .error:
            trailing = nil
            downstream.on(event)
        case .completed:
            isCompleted = true
            if trailing == nil { downstream.onCompleted() }
        }
    }

    private func take(_ element: Element) {
        let now = scheduler.now
        guard let lastSent, now - lastSent < dueTime else {
            lastSent = now
            return downstream.onNext(element)
        }
        guard latest else { return }
        let isPlanned = trailing != nil
        trailing = element
        guard !isPlanned else { return }
        timer.disposable = scheduler.schedule(after: lastSent + dueTime - now) { [self] in
            gate.run { [self] in fire() }
        }
    }

    private func fire() {
        guard !lifetime.isDisposed, let element = trailing.take() else { return }
        lastSent = scheduler.now
        downstream.onNext(element)
        if isCompleted, !lifetime.isDisposed { downstream.onCompleted() }
    }
}
