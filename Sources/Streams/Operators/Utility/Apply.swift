extension ObservableType {
    /// Applies `transform` to this stream, so that custom operators can be used in a chain.
    ///
    /// ```swift
    /// numbers.apply { stream in stream.filter { $0 > 1 }.take(2) }
    /// // --1--2--3--4--|
    /// // -----2--(3|)
    /// ```
    ///
    /// `transform` is called immediately, not on subscribing. Source: [RxSwiftExt, apply](https://github.com/RxSwiftCommunity/RxSwiftExt).
    @inlinable
    public func apply<Result>(_ transform: (Observable<Element>) throws -> Observable<Result>) rethrows -> Observable<Result> {
        try transform(asObservable())
    }
}
