extension ObservableType {
    /// Emits elements until `notifier` emits, and completes then. The notifier's completion is ignored, its error is forwarded.
    ///
    /// ```swift
    /// numbers.take(until: letters)
    /// // numbers --1--2--3--4--|
    /// // letters -------x------
    /// //         --1--2-|
    /// ```
    ///
    /// The notifier is subscribed to first; both are disposed on termination.
    /// Source: [ReactiveX, TakeUntil](https://reactivex.io/documentation/operators/takeuntil.html).
    @inlinable
    public func take<Notifier: ObservableConvertibleType>(until notifier: Notifier) -> Observable<Element> {
        let (source, notifier) = (asObservable(), notifier.asObservable())
        return Observable { downstream, lifetime in
            let taking = SerialOperator((), emittingTo: downstream, in: lifetime)
            taking.start(independent: notifier) { event in
                taking.receive(independent: event) { taking, event in
                    switch event {
                    case .next: taking.downstream.onCompleted()
                    case .error(let error): taking.downstream.onError(error)
                    case .completed: break
                    }
                }
            }
            taking.start(main: source) { event in
                taking.receive(main: event) { taking, event in taking.downstream.on(event) }
            }
        }
    }
}
