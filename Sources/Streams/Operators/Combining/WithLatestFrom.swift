extension ObservableType {
    /// Emits, for each element, the result of `resultSelector` for it and the latest element of `second`. Emits nothing before `second` has
    /// one.
    ///
    /// ```swift
    /// numbers.withLatestFrom(others) { $0 * $1 }
    /// // numbers --1-----2--3--|
    /// // others  -----3-----------
    /// //         --------6--9--|
    /// ```
    ///
    /// `second` is subscribed to first; both are disposed when this stream terminates. The completion of `second` is ignored, its error is
    /// forwarded. Fails if the closure throws. Stores one element. Source: [RxSwift,
    /// withLatestFrom](https://reactivex.io/documentation/operators/combinelatest.html).
    @inlinable
    public func withLatestFrom<Second: ObservableConvertibleType, Result: Sendable>(
        _ second: Second, resultSelector: @escaping @Sendable (Element, Second.Element) throws -> Result
    ) -> Observable<Result> {
        let (source, second) = (asObservable(), second.asObservable())
        return Observable<Result> { downstream, lifetime in
            let pairing = SerialOperator(Second.Element?.none, emittingTo: downstream, in: lifetime)
            pairing.start(independent: second) { event in
                pairing.receive(independent: event) { pairing, event in
                    switch consume event {
                    case .next(let element): pairing.value = element
                    case .error(let error): pairing.downstream.onError(error)
                    case .completed: break
                    }
                }
            }
            pairing.subscribe(toMain: source) { pairing, event in
                let downstream = pairing.downstream
                switch consume event {
                case .next(let element):
                    guard let second = pairing.value else { return }
                    do { downstream.onNext(try resultSelector(element, second)) } catch { downstream.onError(error) }
                case .error(let error): downstream.onError(error)
                case .completed: downstream.onCompleted()
                }
            }
        }
    }

    /// Emits the latest element of `second` for each element of this stream; otherwise like ``withLatestFrom(_:resultSelector:)``.
    @inlinable
    public func withLatestFrom<Second: ObservableConvertibleType>(_ second: Second) -> Observable<Second.Element> {
        withLatestFrom(second) { _, element in element }
    }

    /// Emits, for each element, the result of `resultSelector` for it and the latest elements of two others. Emits nothing before both have
    /// one. Otherwise like ``withLatestFrom(_:resultSelector:)``.
    @inlinable
    public func withLatestFrom<Second: ObservableConvertibleType, Third: ObservableConvertibleType, Result: Sendable>(
        _ second: Second, _ third: Third,
        resultSelector: @escaping @Sendable (Element, Second.Element, Third.Element) throws -> Result
    ) -> Observable<Result> {
        withLatestFrom(third) { ($0, $1) }.withLatestFrom(second) { try resultSelector($0.0, $1, $0.1) }
    }

    /// Emits, for each element, the result of `resultSelector` for it and the latest elements of three others; otherwise like
    /// ``withLatestFrom(_:resultSelector:)``.
    @inlinable
    public func withLatestFrom<
        Second: ObservableConvertibleType, Third: ObservableConvertibleType, Fourth: ObservableConvertibleType, Result: Sendable
    >(
        _ second: Second, _ third: Third, _ fourth: Fourth,
        resultSelector: @escaping @Sendable (Element, Second.Element, Third.Element, Fourth.Element) throws -> Result
    ) -> Observable<Result> {
        withLatestFrom(third, fourth) { ($0, $1, $2) }.withLatestFrom(second) { try resultSelector($0.0, $1, $0.1, $0.2) }
    }
}
