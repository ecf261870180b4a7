extension ObservableType {
    /// Emits the elements received while the latest element of `pauser` is `true`. Skips all others, including those before `pauser` has
    /// emitted.
    ///
    /// ```swift
    /// numbers.pausable(letters.map { $0 == "t" })
    /// // numbers --1--2--3--4--|
    /// // letters ---t-----f-------
    /// //         -----2--3-----|
    /// ```
    ///
    /// Completes with this stream; the completion of `pauser` is ignored, its error is forwarded. Both are disposed on termination. Stores
    /// no element.
    /// Source: [RxSwiftExt, pausable](https://github.com/RxSwiftCommunity/RxSwiftExt).
    @inlinable
    public func pausable(_ pauser: some ObservableConvertibleType<Bool>) -> Observable<Element> {
        let source = asObservable()
        let pauser = pauser.asObservable()
        return Observable { downstream, lifetime in
            let pausing = SerialOperator(false, emittingTo: downstream, in: lifetime)
            pausing.start(independent: pauser) { event in
                pausing.receive(independent: event) { pausing, event in
                    switch event {
                    case .next(let isOpen): pausing.value = isOpen
                    case .error(let error): pausing.downstream.onError(error)
                    case .completed: break
                    }
                }
            }
            pausing.start(main: source) { event in
                pausing.receive(outlived: event) { pausing, event in
                    if pausing.value || event.isStopEvent { pausing.downstream.on(event) }
                }
            }
        }
    }
}
