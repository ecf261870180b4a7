import Streams

/// The expectations of a world, and the first violation.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class Expectations: @unchecked Sendable {
    private let loop: EventLoop
    private let trace: Trace
    private let bag = CompositeDisposable()
    private let violated = PublishSubject<Void>()
    /// The number of checks of each expectation, in the order of their declaration.
    private(set) var checks: [(name: String, count: Int)] = []
    private(set) var violation: Violation?

    struct Violation: Equatable {
        let expectation: String
        let reason: String
        let time: Duration
    }

    init(_ loop: EventLoop, _ trace: Trace) {
        (self.loop, self.trace) = (loop, trace)
    }

    /// Emits when an expectation is violated.
    var violations: Observable<Void> { violated.asObservable() }

    /// Declares an expectation, whose stream reports a violation by an element that is not `nil`.
    func add(_ name: String, _ reasons: Observable<String?>) {
        let index = checks.count
        checks.append((name, 0))
        let subscription = reasons.subscribe(
            onNext: { [self] reason in
                checks[index].count += 1
                if let reason { violate(name, reason) }
            },
            onError: { [self] error in violate(name, "its stream failed: \(error)") })
        _ = bag.insert(subscription)
    }

    /// Connects a stream that an expectation shares among its checks.
    func connect<Element>(_ stream: ConnectableObservable<Element>) {
        _ = bag.insert(stream.connect())
    }

    func violate(_ name: String, _ reason: String) {
        guard violation == nil else { return }
        violation = Violation(expectation: name, reason: reason, time: loop.time.now)
        trace.note(loop.time.now, .violated, name, reason)
        violated.onNext(())
    }

    func end() { bag.dispose() }
}

extension Simulation.World {
    /// Expects a stream to emit only `true`.
    public func always<Source: ObservableConvertibleType<Bool>>(_ name: String, _ holds: Source) {
        expectations.add(name, holds.asObservable().map { $0 ? nil : "it was false" })
    }

    /// Expects a stream to emit nothing.
    public func never<Source: ObservableConvertibleType>(_ name: String, _ stream: Source) {
        expectations.add(name, stream.asObservable().map { "\($0)" })
    }

    /// Expects a stream to emit an element within `limit` from now on; a stream of truth values has to emit `true`.
    public func eventually<Source: ObservableConvertibleType>(_ name: String, within limit: Duration, _ stream: Source) {
        let found = stream.asObservable().filter { ($0 as? Bool) ?? true }.map { _ in String?.none }.take(1)
        let missed = Observable<Int>.timer(limit, scheduler: scheduler).map { _ -> String? in "nothing within \(limit.displayText)" }
        expectations.add(name, Observable.merge(found, missed).take(1))
    }

    /// Expects the other stream to emit an element within `limit` after each element of `cause`; a stream of truth values has to emit
    /// `true`. Each of the two is subscribed to once, now.
    public func eventually<Cause: ObservableConvertibleType, Source: ObservableConvertibleType>(
        _ name: String, within limit: Duration, after cause: Cause, _ stream: Source
    ) {
        let scheduler = scheduler
        // One subscription for all causes: the state of a `scan` goes on. It is older than that of `cause`, so that an element that is both
        // a cause and an effect is not its own effect.
        let effects = stream.asObservable().filter { ($0 as? Bool) ?? true }.map { _ in String?.none }.publish()
        expectations.connect(effects)
        let reasons = cause.asObservable().flatMap { element in
            let missed = Observable<Int>.timer(limit, scheduler: scheduler).map { _ -> String? in
                "nothing within \(limit.displayText) after \(element)"
            }
            return Observable.merge(effects.asObservable(), missed).take(1)
        }
        expectations.add(name, reasons)
    }
}

extension ObservableType where Element: Hashable {
    /// Emits for each element whether it is new: for ``Simulation/World/always(_:_:)``, as in `orders.areDistinct()`.
    public func areDistinct() -> Observable<Bool> {
        scan(into: (seen: Set<Element>(), isNew: true)) { state, element in state.isNew = state.seen.insert(element).inserted }
            .map { $0.isNew }
    }
}
