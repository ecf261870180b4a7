extension ObservableType {
    /// Sends what `resultSelector` makes of `object`, held weakly, and each element; completes at the first element after it is gone.
    ///
    /// ```swift
    /// numbers.withUnretained(clock) { clock, tick in clock.text(for: tick) }
    /// // --1--2--|
    /// // --a--b--|
    /// ```
    ///
    /// Upstream is let go then. Runs where upstream sends. Source: [RxSwift,
    /// withUnretained](https://github.com/ReactiveX/RxSwift/blob/main/RxSwift/Observables/WithUnretained.swift).
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

    /// Sends `object`, held weakly, with each element; otherwise as ``withUnretained(_:resultSelector:)``.
    public func withUnretained<Object: AnyObject & Sendable>(_ object: Object) -> Observable<(Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }
}
