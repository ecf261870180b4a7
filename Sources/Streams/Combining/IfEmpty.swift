extension ObservableType {
    /// Sends `element` if upstream completes without one.
    ///
    /// ```swift
    /// search.ifEmpty(default: placeholder)
    /// // -------|
    /// // -------(p|)
    /// ```
    ///
    /// Source: [ReactiveX, DefaultIfEmpty](https://reactivex.io/documentation/operators/defaultifempty.html).
    public func ifEmpty(default element: Element) -> Observable<Element> {
        ifEmpty(switchTo: Observable.just(element))
    }

    /// Sends `element` if upstream completes without one: the name of the fourth seed.
    public func replaceEmpty(with element: Element) -> Observable<Element> {
        ifEmpty(default: element)
    }

    /// Goes on with `other` if upstream completes without an element; upstream is let go before.
    ///
    /// Source: [RxJava, switchIfEmpty](https://reactivex.io/documentation/operators/defaultifempty.html).
    public func ifEmpty(switchTo other: some ObservableType<Element>) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return Observable { downstream, lifetime in
            let isEmpty = SerialState(true)
            let watched = AnyObserver<Element> { event in
                if case .next = event { isEmpty.value = false }
                downstream.on(event)
            }
            Succession(watched, lifetime).start(source) { event in
                guard case .completed = event, isEmpty.value else { return nil }
                isEmpty.value = false
                return other
            }
        }
    }
}
