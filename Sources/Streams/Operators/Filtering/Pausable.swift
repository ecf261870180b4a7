extension ObservableType {
    /// Sends the elements that come while the latest of `pauser` is true, and leaves out the others, also those before it sends.
    ///
    /// ```swift
    /// numbers.pausable(letters.map { $0 == "t" })
    /// // numbers --1--2--3--4--|
    /// // letters ---t-----f-------
    /// //         -----2--3-----|
    /// ```
    ///
    /// Ends with this stream; the completion of `pauser` is no end, its error is. Both are let go at the end. Keeps no element.
    /// Source: [RxSwiftExt, pausable](https://github.com/RxSwiftCommunity/RxSwiftExt).
    public func pausable(_ pauser: some ObservableType<Bool>) -> Observable<Element> {
        let source = asObservable()
        let pauser = pauser.asObservable()
        return Observable { downstream, lifetime in
            let gate = SharedSerializer()
            let isOpen = SerialState(false)
            gate.start(pauser, in: lifetime.child()) { event in
                guard !lifetime.isDisposed else { return }
                switch event {
                case .next(let flag): isOpen.value = flag
                case .error(let error): downstream.onError(error)
                case .completed: break
                }
            }
            guard !lifetime.isDisposed else { return }
            gate.start(source, in: lifetime.child()) { event in
                guard !lifetime.isDisposed, isOpen.value || event.isStopEvent else { return }
                downstream.on(event)
            }
        }
    }

    /// This stream as two: the elements for which `predicate` is true, and the others. Both share one subscription to it.
    ///
    /// ```swift
    /// let (even, odd) = numbers.partition { $0.isMultiple(of: 2) }
    /// // --1--2--3--4--|
    /// // -----2-----4--|        even
    /// ```
    ///
    /// Upstream is subscribed to with the first of the two that is, and let go with the last. A throw ends both.
    /// Source: [RxSwiftExt, partition](https://github.com/RxSwiftCommunity/RxSwiftExt).
    public func partition(
        _ predicate: @escaping @Sendable (Element) throws -> Bool
    ) -> (matches: Observable<Element>, nonMatches: Observable<Element>) {
        let judged = map { element in (element: element, matches: try predicate(element)) }.share()
        return (
            judged.compactMap { $0.matches ? $0.element : nil },
            judged.compactMap { $0.matches ? nil : $0.element }
        )
    }
}
