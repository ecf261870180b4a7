extension ObservableType {
    /// Skips the first `count` elements. A negative count is treated as 0.
    ///
    /// ```swift
    /// numbers.skip(2)
    /// // --1--2--3--|
    /// // --------3--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Skip](https://reactivex.io/documentation/operators/skip.html).
    @inlinable @inline(__always)
    public func skip(_ count: Int) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let remaining = EmittingState(count, emittingTo: downstream)
            start(
                AnyObserver.receiving { event in
                    guard event.isElement, remaining.value > 0 else { return remaining.downstream.forward(event) }
                    remaining.value -= 1
                }, lifetime)
        }
    }
}
