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
    public func take<Notifier: ObservableType>(until notifier: Notifier) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let gate = SharedSerializer()
            let other = lifetime.child()
            notifier.asObservable().start(
                gate.entering { event in
                    guard !other.isDisposed else { return }
                    switch event {
                    case .next: downstream.onCompleted()
                    case .error(let error): downstream.onError(error)
                    case .completed: other.dispose()
                    }
                }, other)
            guard !lifetime.isDisposed else { return }
            start(
                gate.entering { event in
                    guard !lifetime.isDisposed else { return }
                    downstream.on(event)
                }, lifetime)
        }
    }
}
