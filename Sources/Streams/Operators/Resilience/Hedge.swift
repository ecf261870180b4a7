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
    @inlinable
    public func hedge(_ hedging: Hedging) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            HedgedRequest(hedging, lifetime) { request, attempt in
                request.subscribe(to: source, in: attempt) { event in
                    if case .error(let error) = event, !request.isAnswered { return request.fail(with: error) { downstream.onError($0) } }
                    if request.takeAnswer(of: attempt) { downstream.on(event) }
                }
            }.begin()
        }
    }
}

/// The attempts of one request, and their race.
@usableFromInline
final class HedgedRequest: SharedSerializer, @unchecked Sendable {
    private let hedging: Hedging
    private let start: @Sendable (HedgedRequest, Lifetime) -> Void
    private let began: Duration
    private let timer: PlannedMember
    private let mark = Resources.Mark("HedgedRequest")
    /// Law 2: accessed only inside the serializer, as are the properties below.
    @usableFromInline var winner: Lifetime?
    private var attempts = ShortList<Lifetime>()
    private var failures = 0
    private var firstError: (any Error)?

    /// `start` subscribes to the source in the lifetime of an attempt.
    @usableFromInline
    init(_ hedging: Hedging, _ lifetime: Lifetime, start: @escaping @Sendable (HedgedRequest, Lifetime) -> Void) {
        self.hedging = hedging
        self.start = start
        began = hedging.scheduler.now
        timer = PlannedMember(in: lifetime)
        super.init(lifetime)
    }

    @usableFromInline
    func begin() {
        if let delay = hedging.begin() { plan(1, after: delay) }
        attempt()
    }

    /// Plans the next hedge after this number of attempts.
    private func plan(_ attempts: Int, after delay: Duration) {
        guard attempts < hedging.maxAttempts else { return }
        timer.planned.plan {
            hedging.scheduler.schedule(after: delay) { [self] in
                guard !timer.planned.isDisposed, hedging.permitHedge() else { return }
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
        start(self, upstream)
    }

    /// Whether an attempt has been answered. Called inside the serializer only, as are the methods below.
    @inlinable
    var isAnswered: Bool { winner != nil }

    /// Whether `attempt` is the one whose events are emitted: the first that is answered.
    @inlinable
    func takeAnswer(of attempt: Lifetime) -> Bool {
        if winner == nil { win(attempt) }
        return winner === attempt
    }

    @usableFromInline
    func win(_ attempt: Lifetime) {
        winner = attempt
        timer.planned.dispose()
        hedging.answered(after: hedging.scheduler.now - began, byHedge: attempt !== attempts.first)
        for other in attempts where other !== attempt { other.dispose() }
        attempts = ShortList()
    }

    /// Counts the failure of an attempt; the last one emits the first error.
    @usableFromInline
    func fail(with error: any Error, _ emit: (any Error) -> Void) {
        firstError = firstError ?? error
        failures += 1
        guard failures == attempts.count else { return }
        timer.planned.dispose()
        attempts = ShortList()
        emit(firstError ?? error)
    }
}
