extension ObservableType {
    /// Emits the results of `transform` that are not `nil`; fails if it throws.
    ///
    /// ```swift
    /// letters.compactMap(Int.init)
    /// // --1--x--3--|
    /// // --1-----3--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [RxSwift, compactMap](https://reactivex.io/documentation/operators/map.html).
    @inlinable @inline(__always)
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) throws -> Result?) -> Observable<Result> {
        let start = asObservable().start
        return Observable<Result> { downstream, lifetime in
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element):
                        do {
                            if let result = try transform(element) { downstream.onNext(consume result) }
                        } catch { downstream.onError(error) }
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }

    /// Emits `value` for each element.
    ///
    /// ```swift
    /// numbers.mapTo("x")
    /// // --1--2--|
    /// // --x--x--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [RxJS, mapTo](https://rxjs.dev/api/operators/mapTo).
    @inlinable @inline(__always)
    public func mapTo<Result: Sendable>(_ value: Result) -> Observable<Result> {
        let constant = Constant(value)
        return map { _ in constant.value }
    }

    /// Emits the unwrapped elements that are not `nil`.
    ///
    /// ```swift
    /// letters.map { Int($0) }.unwrap()
    /// // --1--x--3--|
    /// // --1-----3--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [RxSwiftExt, unwrap](https://github.com/RxSwiftCommunity/RxSwiftExt).
    @inlinable @inline(__always)
    public func unwrap<Wrapped>() -> Observable<Wrapped> where Element == Wrapped? {
        compactMap { $0 }
    }
}
