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
            let remaining = EmittingState(count, downstream)
            start(
                AnyObserver { event in
                    switch consume event {
                    case .next(let element):
                        guard remaining.value <= 0 else {
                            remaining.value -= 1
                            return
                        }
                        remaining.downstream.onNext(consume element)
                    case .error(let error): remaining.downstream.onError(error)
                    case .completed: remaining.downstream.onCompleted()
                    }
                }, lifetime)
        }
    }
}
