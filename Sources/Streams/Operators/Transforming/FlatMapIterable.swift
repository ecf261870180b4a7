extension ObservableType {
    /// Emits the elements of the sequence that `selector` maps each element to; fails if it throws.
    ///
    /// ```swift
    /// responses.flatMapIterable(\.items)
    /// // -a----b----|        a holds 1 and 2, b holds 3
    /// // -(12)-3----|
    /// ```
    ///
    /// Checks before each element whether the subscription is disposed. Runs where upstream emits.
    /// Source: [RxJava, flatMapIterable](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable @inline(__always)
    public func flatMapIterable<Elements: Sequence & Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Elements
    ) -> Observable<Elements.Element> where Elements.Element: Sendable {
        let start = asObservable().start
        return Observable<Elements.Element> { downstream, lifetime in
            start(
                downstream.forwarding { element in
                    for inner in try selector(element) {
                        guard !lifetime.isDisposed else { return }
                        downstream.onNext(inner)
                    }
                }, lifetime)
        }
    }
}
