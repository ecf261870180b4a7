extension ObservableType {
    /// Emits the accumulated result of `accumulator`, starting with `seed`, when upstream completes; fails if it throws.
    ///
    /// ```swift
    /// numbers.reduce(0, accumulator: +)
    /// // --1--2--3--|
    /// // -----------(6|)
    /// ```
    ///
    /// Runs where upstream emits; stores the result. Source: [ReactiveX, Reduce](https://reactivex.io/documentation/operators/reduce.html).
    @inlinable @inline(__always)
    public func reduce<Result: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result
    ) -> Observable<Result> {
        reduce(into: seed) { result, element in result = try accumulator(result, element) }
    }

    /// Emits the accumulated result of `accumulator`, transformed by `mapResult`, when upstream completes; otherwise like
    /// ``reduce(_:accumulator:)``.
    @inlinable
    public func reduce<Accumulated: Sendable, Result: Sendable>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated,
        mapResult: @escaping @Sendable (Accumulated) throws -> Result
    ) -> Observable<Result> {
        reduce(seed, accumulator: accumulator).map { try mapResult($0) }
    }

    /// Emits the result that `accumulator` mutates, starting with `seed`, when upstream completes; otherwise like
    /// ``reduce(_:accumulator:)``.
    @inlinable @inline(__always)
    public func reduce<Result: Sendable>(
        into seed: Result, accumulator: @escaping @Sendable (inout Result, Element) throws -> Void
    ) -> Observable<Result> {
        let start = asObservable().start
        let seed = Constant(seed)
        return Observable<Result> { downstream, lifetime in
            let result = SerialState(seed.value)
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element):
                        do { try accumulator(&result.value, element) } catch { downstream.onError(error) }
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.finish(with: result.value, in: lifetime)
                    }
                }, lifetime)
        }
    }

    /// Emits all elements as an array when upstream completes.
    ///
    /// ```swift
    /// numbers.toArray()
    /// // --1--2--|
    /// // --------(a|)   a = [1, 2]
    /// ```
    ///
    /// Runs where upstream emits. Stores all elements.
    /// Source: [ReactiveX, To](https://reactivex.io/documentation/operators/to.html).
    @inlinable @inline(__always)
    public func toArray() -> Observable<[Element]> {
        reduce(into: []) { array, element in array.append(element) }
    }
}
