extension ObservableType {
    /// Emits, for each element, the result of `accumulator` for the previous result and the element; fails if it throws.
    ///
    /// ```swift
    /// numbers.scan(0, accumulator: +)
    /// // --1--2--3--|
    /// // --1--3--6--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Scan](https://reactivex.io/documentation/operators/scan.html).
    @inlinable @inline(__always)
    public func scan<Result: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result
    ) -> Observable<Result> {
        let start = asObservable().start
        let seed = Constant(seed)
        return Observable<Result> { downstream, lifetime in
            let state = SerialState(seed.value)
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element):
                        do { state.value = try accumulator(state.value, element) } catch { return downstream.onError(error) }
                        downstream.onNext(state.value)
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }

    /// Emits, for each element, the result that `accumulator` mutates; fails if it throws.
    ///
    /// ```swift
    /// letters.scan(into: 0) { count, letter in count += letter == "a" ? 1 : 0 }
    /// // --a--b--a--|
    /// // --1--1--2--|
    /// ```
    ///
    /// Runs where upstream emits; a collection is copied only if the previously emitted one is still referenced.
    /// Source: [RxSwift, scan(into:)](https://reactivex.io/documentation/operators/scan.html).
    @inlinable @inline(__always)
    public func scan<Result: Sendable>(
        into seed: Result, accumulator: @escaping @Sendable (inout Result, Element) throws -> Void
    ) -> Observable<Result> {
        let start = asObservable().start
        let seed = Constant(seed)
        return Observable<Result> { downstream, lifetime in
            let state = SerialState(seed.value)
            start(
                downstream.forwarding { element in
                    try accumulator(&state.value, element)
                    downstream.onNext(state.value)
                }, lifetime)
        }
    }
}
