extension ObservableType {
    /// Emits each element transformed by `transform`; fails if it throws.
    ///
    /// ```swift
    /// numbers.map { $0 * 2 }
    /// // --1--2--3--|
    /// // --2--4--6--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Map](https://reactivex.io/documentation/operators/map.html).
    @inlinable @inline(__always)
    public func map<Result>(_ transform: @escaping @Sendable (consuming Element) throws -> Result) -> Observable<Result> {
        let source = asObservable()
        let start = source.start
        return Observable<Result>(isSynchronous: source.isSynchronous) { downstream, lifetime in
            start(
                AnyObserver.receiving { event in
                    switch consume event {
                    case .next(let element):
                        do { downstream.onNext(try transform(element.take())) } catch { downstream.onError(error) }
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }
}
