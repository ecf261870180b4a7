extension ObservableType {
    /// Emits only the elements that satisfy `predicate`; fails if it throws.
    ///
    /// ```swift
    /// numbers.filter { $0.isMultiple(of: 2) }
    /// // --1--2--3--4--|
    /// // -----2-----4--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Filter](https://reactivex.io/documentation/operators/filter.html).
    @inlinable @inline(__always)
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            start(
                AnyObserver { event in
                    switch consume event {
                    case .next(let element):
                        let passes: Bool
                        do { passes = try predicate(element) } catch { return downstream.onError(error) }
                        if passes { downstream.onNext(consume element) }
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }
}
