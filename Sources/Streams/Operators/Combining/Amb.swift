import Schedulers

extension Observable {
    /// Emits the events of the first of `sources` to emit any event; the others are disposed then.
    ///
    /// ```swift
    /// Observable.amb([numbers, others])
    /// // numbers ----1--2--|
    /// // others  --3----4--|
    /// //         --3----4--|
    /// ```
    ///
    /// They are subscribed to in order; a synchronous one prevents subscriptions to those after it.
    /// Source: [ReactiveX, Amb](https://reactivex.io/documentation/operators/amb.html).
    @inlinable
    public static func amb(_ sources: [Observable<Element>]) -> Observable<Element> {
        guard !sources.isEmpty else { return .empty() }
        return Observable { downstream, lifetime in
            let serializer = SharedSerializer(lifetime)
            let winner = SerialState<Lifetime?>(nil)
            let runners = sources.map { _ in serializer.gate.child() }
            for (source, runner) in Swift.zip(sources, runners) {
                serializer.subscribe(to: source, in: runner) { event in
                    guard winner.value == nil || winner.value === runner else { return }
                    if winner.value == nil {
                        winner.value = runner
                        for other in runners where other !== runner { other.dispose() }
                    }
                    downstream.on(event)
                }
            }
        }
    }

    /// Emits the events of the first of the streams to emit any event; otherwise like ``amb(_:)``.
    @inlinable
    public static func amb(_ sources: Observable<Element>...) -> Observable<Element> {
        amb(sources)
    }
}

extension ObservableType {
    /// Emits the events of the first of the two streams to emit any event; otherwise like ``amb(_:)``.
    @inlinable
    public func amb(_ other: some ObservableConvertibleType<Element>) -> Observable<Element> {
        .amb([asObservable(), other.asObservable()])
    }
}
