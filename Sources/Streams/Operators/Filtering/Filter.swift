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
                AnyObserver.receiving { event in
                    switch consume event {
                    case .next(let element):
                        do {
                            if try element.read(predicate) { downstream.forward(element) }
                        } catch { downstream.onError(error) }
                    case let event: downstream.forward(event)
                    }
                }, lifetime)
        }
    }
}
