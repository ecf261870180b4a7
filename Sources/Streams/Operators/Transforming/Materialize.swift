extension ObservableType {
    /// Emits every event as an element, including the terminal one, and then completes: it never fails.
    ///
    /// ```swift
    /// numbers.materialize()
    /// // --1--#
    /// // --a--(b|)   a = next(1), b = error(failed)
    /// ```
    ///
    /// Runs where upstream emits.
    /// Source: [ReactiveX, Materialize](https://reactivex.io/documentation/operators/materialize-dematerialize.html).
    @inlinable
    public func materialize() -> Observable<Event<Element>> {
        map { Event<Element>.next($0) }.endWith(.completed).catch { .just(.error($0)) }
    }

    /// Emits the events represented by the elements, and terminates at the first terminal one; the reverse of `materialize()`.
    ///
    /// ```swift
    /// letters.map { $0 == "x" ? Event<String>.completed : .next($0) }.dematerialize()
    /// // --a--x--b--|
    /// // --a--|
    /// ```
    ///
    /// Upstream is disposed then. Source: [ReactiveX,
    /// Dematerialize](https://reactivex.io/documentation/operators/materialize-dematerialize.html).
    @inlinable
    public func dematerialize<Inner: Sendable>() -> Observable<Inner> where Element == Event<Inner> {
        let start = asObservable().start
        return Observable<Inner> { downstream, lifetime in
            start(downstream.forwarding { event in downstream.on(event) }, lifetime)
        }
    }

    /// Emits the elements of materialized events.
    ///
    /// ```swift
    /// numbers.materialize().elements()
    /// // --1--2--#
    /// // --1--2--|
    /// ```
    ///
    /// Source: [RxSwiftExt, elements](https://github.com/RxSwiftCommunity/RxSwiftExt).
    @inlinable
    public func elements<Inner: Sendable>() -> Observable<Inner> where Element == Event<Inner> {
        compactMap { $0.element }
    }

    /// Emits the errors of materialized events, as elements.
    ///
    /// ```swift
    /// numbers.materialize().errors()
    /// // --1--2--#
    /// // --------(e|)   e = failed
    /// ```
    ///
    /// Source: [RxSwiftExt, errors](https://github.com/RxSwiftCommunity/RxSwiftExt).
    @inlinable
    public func errors<Inner: Sendable>() -> Observable<any Error> where Element == Event<Inner> {
        compactMap { $0.error }
    }
}
