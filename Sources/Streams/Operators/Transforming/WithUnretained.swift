extension ObservableType {
    /// Emits the result of `resultSelector` for `object`, referenced weakly, and each element; completes at the first element after its
    /// deallocation.
    ///
    /// ```swift
    /// numbers.withUnretained(clock) { clock, tick in clock.text(for: tick) }
    /// // --1--2--|
    /// // --a--b--|
    /// ```
    ///
    /// Upstream is disposed then. Runs where upstream emits. Source: [RxSwift,
    /// withUnretained](https://github.com/ReactiveX/RxSwift/blob/main/RxSwift/Observables/WithUnretained.swift).
    @inlinable
    public func withUnretained<Object: AnyObject & Sendable, Result: Sendable>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) throws -> Result
    ) -> Observable<Result> {
        let start = asObservable().start
        return Observable<Result> { [weak object] downstream, lifetime in
            start(
                downstream.forwarding { [weak object] element in
                    guard let object else { return downstream.onCompleted() }
                    downstream.onNext(try resultSelector(object, element))
                }, lifetime)
        }
    }

    /// Emits `object`, referenced weakly, with each element; otherwise like ``withUnretained(_:resultSelector:)``.
    @inlinable
    public func withUnretained<Object: AnyObject & Sendable>(_ object: Object) -> Observable<(Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }
}
