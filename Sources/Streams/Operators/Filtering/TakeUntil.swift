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
            let serializer = SharedSerializer(lifetime)
            serializer.subscribe(toIndependent: notifier) { event in
                switch event {
                case .next: downstream.onCompleted()
                case .error(let error): downstream.onError(error)
                case .completed: break
                }
            }
            serializer.subscribe(toMain: source) { event in downstream.on(event) }
        }
    }
}
