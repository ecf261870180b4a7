import Schedulers

extension ObservableType {
    /// Subscribes a second time if the first subscription has emitted nothing after the delay of `hedging`. Emits the events of the
    /// subscription that is answered first, and disposes the other.
    ///
    /// ```swift
    /// letters.flatMap { sometimesSlow($0).hedge(hedging) }
    /// // -a----------|
    /// // ----a-------|        the first attempt would have taken nine seconds, the second begins after two and takes one
    /// ```
    ///
    /// The first element or the completion is the answer. An attempt that fails is no answer while another runs; when all attempts have
    /// failed, the first of their errors is emitted. A failure before the delay begins no further attempt: use `retry` for that. Source:
    /// [Dean and Barroso, The tail at scale](https://research.google/pubs/the-tail-at-scale/).
    public func hedge(_ hedging: Hedging) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in HedgedRequest(source, hedging, downstream, lifetime).begin() }
    }
}

/// The attempts of one request, and their race.
private final class HedgedRequest<Element: Sendable>: SharedSerializer, @unchecked Sendable {
    private let source: Observable<Element>
    private let hedging: Hedging
    private let downstream: AnyObserver<Element>
    private let began: Duration
    private let timer = PlannedAction()
    private let mark = Resources.Mark("HedgedRequest")
    /// Law 2: accessed only inside the serializer, as are the properties below.
    private var winner: Lifetime?
    private var attempts: [Lifetime] = []
    private var failures = 0
    private var firstError: (any Error)?

    init(_ source: Observable<Element>, _ hedging: Hedging, _ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.source = source
        self.hedging = hedging
        self.downstream = downstream
        began = hedging.scheduler.now
        super.init(lifetime)
        lifetime.add(timer)
    }

    func begin() {
        if let delay = hedging.begin() { plan(1, after: delay) }
        attempt()
    }

    /// Plans the next hedge after this number of attempts.
    private func plan(_ attempts: Int, after delay: Duration) {
        guard attempts < hedging.maxAttempts else { return }
        timer.plan {
            hedging.scheduler.schedule(after: delay) { [self] in
                guard !timer.isDisposed, hedging.permitHedge() else { return }
                plan(attempts + 1, after: delay)
                attempt()
            }
        }
    }

    /// Begins an attempt, outside the serializer, so that a synchronous source is not queued.
    private func attempt() {
        let upstream = gate.child()
        run { [self] in
            // Another attempt may have been answered since the timer fired.
            if winner == nil { attempts.append(upstream) } else { upstream.dispose() }
        }
        subscribe(to: source, in: upstream) { [self] event in receive(event, from: upstream) }
    }

    /// Handles an event of an attempt. Called inside the serializer only, as are the methods below.
    private func receive(_ event: Event<Element>, from attempt: Lifetime) {
        if winner == nil {
            if case .error(let error) = event { return fail(with: error) }
            win(attempt)
        }
        if winner === attempt { downstream.on(event) }
    }

    private func win(_ attempt: Lifetime) {
        winner = attempt
        timer.dispose()
        hedging.answered(after: hedging.scheduler.now - began, byHedge: attempt !== attempts.first)
        for other in attempts where other !== attempt { other.dispose() }
        attempts = []
    }

    private func fail(with error: any Error) {
        firstError = firstError ?? error
        failures += 1
        guard failures == attempts.count else { return }
        timer.dispose()
        attempts = []
        downstream.onError(firstError ?? error)
    }
}
