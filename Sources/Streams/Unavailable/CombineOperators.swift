// Operators of Combine that throw, bound or combine, so that the compiler can name the replacement.

extension ObservableType {
    /// Combine's `tryCompactMap(_:)`.
    @available(*, unavailable, renamed: "compactMap(_:)")
    public func tryCompactMap<Result: Sendable>(_ transform: @escaping @Sendable (Element) throws -> Result?) -> Observable<Result> {
        unavailable()
    }

    /// Combine's `tryScan(_:_:)`.
    @available(*, unavailable, message: "use scan(_:accumulator:), whose closure may throw")
    public func tryScan<Result: Sendable>(
        _ seed: Result, _ accumulator: @escaping @Sendable (Result, Element) throws -> Result
    ) -> Observable<Result> { unavailable() }

    /// Combine's `scan(_:_:)`.
    @available(*, unavailable, message: "name the function, scan(0, accumulator: +), or write a closure, scan(0) { $0 + $1 }")
    public func scan<Result: Sendable>(
        _ seed: Result, _ accumulator: @escaping @Sendable (Result, Element) throws -> Result
    ) -> Observable<Result> { unavailable() }

    /// Combine's `tryReduce(_:_:)`.
    @available(*, unavailable, message: "use reduce(_:accumulator:), whose closure may throw")
    public func tryReduce<Result: Sendable>(
        _ seed: Result, _ accumulator: @escaping @Sendable (Result, Element) throws -> Result
    ) -> Observable<Result> { unavailable() }

    /// Combine's `tryRemoveDuplicates(by:)`.
    @available(*, unavailable, renamed: "distinctUntilChanged(by:)")
    public func tryRemoveDuplicates(by areEqual: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        unavailable()
    }

    /// Combine's `removeDuplicates(by:)`.
    @available(*, unavailable, renamed: "distinctUntilChanged(by:)")
    public func removeDuplicates(by areEqual: @escaping @Sendable (Element, Element) -> Bool) -> Observable<Element> { unavailable() }

    /// Combine's `tryPrefix(while:)`.
    @available(*, unavailable, renamed: "take(while:)")
    public func tryPrefix(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> { unavailable() }

    /// Combine's `tryDrop(while:)`.
    @available(*, unavailable, renamed: "skip(while:)")
    public func tryDrop(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> { unavailable() }

    /// Combine's `tryFirst(where:)`.
    @available(*, unavailable, renamed: "first(where:)")
    public func tryFirst(where predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> { unavailable() }

    /// Combine's `tryLast(where:)`.
    @available(*, unavailable, message: "use filter(_:).last(), whose closure may throw")
    public func tryLast(where predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> { unavailable() }

    /// Combine's `tryAllSatisfy(_:)`.
    @available(*, unavailable, renamed: "all(_:)")
    public func tryAllSatisfy(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Bool> { unavailable() }

    /// Combine's `tryContains(where:)`.
    @available(*, unavailable, renamed: "any(_:)")
    public func tryContains(where predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Bool> { unavailable() }

    /// Combine's `tryMin(by:)`.
    @available(*, unavailable, renamed: "min(by:)")
    public func tryMin(by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        unavailable()
    }

    /// Combine's `tryMax(by:)`.
    @available(*, unavailable, renamed: "max(by:)")
    public func tryMax(by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        unavailable()
    }

    /// Combine's `tryCatch(_:)`.
    @available(*, unavailable, renamed: "catch(_:)")
    public func tryCatch(_ handler: @escaping @Sendable (any Error) throws -> Observable<Element>) -> Observable<Element> { unavailable() }

    /// Combine's `collect(_:)`.
    @available(*, unavailable, renamed: "buffer(count:)")
    public func collect(_ count: Int) -> Observable<[Element]> { unavailable() }

    /// Combine's `buffer(size:prefetch:whenFull:)`.
    @available(*, unavailable, message: "use observe(on:overflow:), or values(overflow:)")
    public func buffer(size: Int, prefetch: PublishersBuffer.Prefetch, whenFull: PublishersBuffer.WhenFull) -> Observable<Element> {
        unavailable()
    }

    /// Combine's `combineLatest(_:_:)`.
    @available(*, unavailable, message: "use Observable.combineLatest(a, b) { ... }, or map on the tuples of combineLatest(_:)")
    public func combineLatest<Other: ObservableConvertibleType, Result: Sendable>(
        _ other: Other, _ transform: @escaping @Sendable (Element, Other.Element) -> Result
    ) -> Observable<Result> { unavailable() }

    /// Combine's `zip(_:_:)`.
    @available(*, unavailable, message: "use Observable.zip(a, b) { ... }, or map on the tuples of zip(_:)")
    public func zip<Other: ObservableConvertibleType, Result: Sendable>(
        _ other: Other, _ transform: @escaping @Sendable (Element, Other.Element) -> Result
    ) -> Observable<Result> { unavailable() }
}
