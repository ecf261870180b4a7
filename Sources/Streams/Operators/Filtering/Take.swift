extension ObservableType {
    /// Emits the first `count` elements and completes with the last of them; if `count` is 0 it completes without subscribing.
    ///
    /// ```swift
    /// numbers.take(2)
    /// // --1--2--3--|
    /// // --1--(2|)
    /// ```
    ///
    /// Upstream is disposed before `completed` is emitted. A negative count is treated as 0. Runs where upstream emits.
    /// Source: [ReactiveX, Take](https://reactivex.io/documentation/operators/take.html).
    @inlinable @inline(__always)
    public func take(_ count: Int) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            guard count > 0 else { return downstream.onCompleted() }
            let remaining = SerialState(count)
            start(
                AnyObserver.receiving { event in
                    guard event.isElement else { return downstream.forward(event) }
                    guard remaining.value > 0 else { return }
                    remaining.value -= 1
                    let isLast = remaining.value == 0
                    downstream.forward(event)
                    if isLast, !lifetime.isDisposed { downstream.onCompleted() }
                }, lifetime)
        }
    }
}
