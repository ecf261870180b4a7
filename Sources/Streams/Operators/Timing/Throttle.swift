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
    /// A trailing element whose timer is late is dropped when a newer one may be sent at once. Completion waits for a trailing element; an
    /// error drops it. Upstream is disposed at its terminal event. Keeps one element. A `dueTime` that is not positive drops nothing.
    /// Source: [ReactiveX, Sample](https://reactivex.io/documentation/operators/sample.html).
    public func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Observable<Element> {
        throttle(dueTime, latest: latest, scheduler: scheduler, passing: { _ in false })
    }

    /// The same for the elements for which `passes` is false; another one is sent at once, and drops what waits.
    func throttle(
        _ dueTime: Duration, latest: Bool, scheduler: any Scheduler, passing passes: @escaping @Sendable (Element) -> Bool
    ) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let throttle = Throttle(downstream, lifetime, dueTime: dueTime, latest: latest, scheduler: scheduler)
            let upstream = lifetime.child()
            start(
                throttle.serializer.observer { event in
                    guard upstream.admits(event) else { return }
                    if let element = event.element, passes(element) { return throttle.pass(element) }
                    throttle.take(event)
                }, upstream)
        }
    }
}

private final class Throttle<Element: Sendable>: @unchecked Sendable {
    let serializer: SharedSerializer
    private let downstream: AnyObserver<Element>
    private let lifetime: Lifetime
    private let dueTime: Duration
    private let latest: Bool
    private let scheduler: any Scheduler
    private let timer = SerialDisposable()
    /// Law 2: used only inside the gate, like what follows.
    private var lastSent: Duration?
    private var trailing: Element?
    /// Counts the timers: one that was superseded may have begun to fire on another thread.
    private var timerNumber = 0
    private var isCompleted = false

    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, dueTime: Duration, latest: Bool, scheduler: any Scheduler) {
        self.downstream = downstream
        serializer = SharedSerializer(lifetime)
        self.lifetime = lifetime
        self.dueTime = dueTime.clamped
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

    func pass(_ element: Element) {
        trailing = nil
        downstream.onNext(element)
    }

    private func take(_ element: Element) {
        let now = scheduler.now
        guard let lastSent, now - lastSent < dueTime else {
            dropTrailing()
            lastSent = now
            return downstream.onNext(element)
        }
        guard latest else { return }
        let isPlanned = trailing != nil
        trailing = element
        guard !isPlanned else { return }
        timerNumber += 1
        timer.disposable = scheduler.schedule(after: lastSent + dueTime - now) { [self, timerNumber] in
            serializer.run { [self] in fire(timerNumber) }
        }
    }

    /// An element that still waits for its timer is older than the one that is sent now.
    private func dropTrailing() {
        guard trailing.take() != nil else { return }
        timer.disposable = nil
    }

    private func fire(_ number: Int) {
        guard number == timerNumber, let element = trailing.take() else { return }
        lastSent = scheduler.now
        downstream.onNext(element)
        if isCompleted, !lifetime.isDisposed { downstream.onCompleted() }
    }
}
