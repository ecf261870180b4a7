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
            let serializer = SharedSerializer(lifetime)
            let isOpen = SerialState(false)
            serializer.subscribe(toIndependent: pauser) { event in
                switch event {
                case .next(let flag): isOpen.value = flag
                case .error(let error): downstream.onError(error)
                case .completed: break
                }
            }
            serializer.subscribe(to: source, in: serializer.gate) { event in
                if isOpen.value || event.isStopEvent { downstream.on(event) }
            }
        }
    }
}
