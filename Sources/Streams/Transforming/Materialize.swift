extension ObservableType {
    /// Sends every event as an element, the terminal one too, and completes then: it never fails.
    ///
    /// ```swift
    /// request.materialize()
    /// // --1------#
    /// // --next(1)-(error|)
    /// ```
    ///
    /// Source: [ReactiveX, Materialize](https://reactivex.io/documentation/operators/materialize-dematerialize.html).
    public func materialize() -> Observable<Event<Element>> {
        let start = asObservable().start
        return Observable<Event<Element>> { downstream, lifetime in
            start(
                AnyObserver { event in
                    downstream.onNext(event)
                    if event.isStopEvent { downstream.onCompleted() }
                }, lifetime)
        }
    }

    /// Sends the events that the elements are, and ends at the first terminal one; the reverse of `materialize()`.
    ///
    /// Upstream is let go then. Source: [ReactiveX,
    /// Dematerialize](https://reactivex.io/documentation/operators/materialize-dematerialize.html).
    public func dematerialize<Inner: Sendable>() -> Observable<Inner> where Element == Event<Inner> {
        let start = asObservable().start
        return Observable<Inner> { downstream, lifetime in
            start(downstream.receiving { event in downstream.on(event) }, lifetime)
        }
    }

    /// Sends the elements of materialized events.
    ///
    /// Source: [RxSwiftExt, elements](https://github.com/RxSwiftCommunity/RxSwiftExt).
    public func elements<Inner: Sendable>() -> Observable<Inner> where Element == Event<Inner> {
        compactMap(\.element)
    }

    /// Sends the errors of materialized events, as elements.
    ///
    /// Source: [RxSwiftExt, errors](https://github.com/RxSwiftCommunity/RxSwiftExt).
    public func errors<Inner: Sendable>() -> Observable<any Error> where Element == Event<Inner> {
        compactMap(\.error)
    }
}
