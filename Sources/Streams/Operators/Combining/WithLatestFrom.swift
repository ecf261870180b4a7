extension ObservableType {
    /// Sends, for each element, what `resultSelector` makes of it and the latest element of `second`; nothing before that has one.
    ///
    /// ```swift
    /// numbers.withLatestFrom(others) { $0 * $1 }
    /// // numbers --1-----2--3--|
    /// // others  -----3-----------
    /// //         --------6--9--|
    /// ```
    ///
    /// `second` is subscribed first; both are let go at the end of this stream. The completion of `second` is no end, its error and a throw
    /// are. Keeps one element. Source: [RxSwift, withLatestFrom](https://reactivex.io/documentation/operators/combinelatest.html).
    public func withLatestFrom<Second: ObservableType, Result: Sendable>(
        _ second: Second, resultSelector: @escaping @Sendable (Element, Second.Element) throws -> Result
    ) -> Observable<Result> {
        let start = asObservable().start
        return Observable<Result> { downstream, lifetime in
            let gate = SharedSerializer()
            let latest = LatestSlot<Second.Element>()
            let other = lifetime.child()
            second.asObservable().start(
                gate.entering { event in
                    guard !other.isDisposed else { return }
                    switch event {
                    case .next(let element): latest.element = element
                    case .error(let error): downstream.onError(error)
                    case .completed: other.dispose()
                    }
                }, other)
            guard !lifetime.isDisposed else { return }
            start(
                gate.entering { event in
                    guard !lifetime.isDisposed else { return }
                    switch event {
                    case .next(let element):
                        guard let second = latest.element else { return }
                        do { downstream.onNext(try resultSelector(element, second)) } catch { downstream.onError(error) }
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }

    /// Sends the latest element of `second` for each element of this stream; otherwise as ``withLatestFrom(_:resultSelector:)``.
    public func withLatestFrom<Second: ObservableType>(_ second: Second) -> Observable<Second.Element> {
        withLatestFrom(second) { _, element in element }
    }

    /// Sends, for each element, what `resultSelector` makes of it and the latest elements of two others; nothing before both have one.
    /// Otherwise as ``withLatestFrom(_:resultSelector:)``.
    public func withLatestFrom<Second: ObservableType, Third: ObservableType, Result: Sendable>(
        _ second: Second, _ third: Third,
        resultSelector: @escaping @Sendable (Element, Second.Element, Third.Element) throws -> Result
    ) -> Observable<Result> {
        withLatestFrom(Observable.combineLatest(second, third) { ($0, $1) }) { try resultSelector($0, $1.0, $1.1) }
    }

    /// Sends, for each element, what `resultSelector` makes of it and the latest elements of three others; otherwise as
    /// ``withLatestFrom(_:resultSelector:)``.
    public func withLatestFrom<Second: ObservableType, Third: ObservableType, Fourth: ObservableType, Result: Sendable>(
        _ second: Second, _ third: Third, _ fourth: Fourth,
        resultSelector: @escaping @Sendable (Element, Second.Element, Third.Element, Fourth.Element) throws -> Result
    ) -> Observable<Result> {
        withLatestFrom(Observable.combineLatest(second, third, fourth) { ($0, $1, $2) }) { try resultSelector($0, $1.0, $1.1, $1.2) }
    }
}
