extension ObservableType {
    /// Emits `element` if upstream completes without one.
    ///
    /// ```swift
    /// letters.ifEmpty(default: "p")
    /// // -------|
    /// // -------(p|)
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, DefaultIfEmpty](https://reactivex.io/documentation/operators/defaultifempty.html).
    @inlinable
    public func ifEmpty(default element: Element) -> Observable<Element> {
        ifEmpty(switchTo: Observable.just(element))
    }

    /// Emits `element` if upstream completes without one: ``ifEmpty(default:)`` under the name that goes with `replaceError` and
    /// `replaceNil`.
    @inlinable
    public func replaceEmpty(with element: Element) -> Observable<Element> {
        ifEmpty(default: element)
    }

    /// Continues with `other` if upstream completes without an element; upstream is disposed before.
    ///
    /// ```swift
    /// letters.ifEmpty(switchTo: quotes)
    /// // letters --|
    /// // quotes  -a--b--|
    /// //         ----b--|        quotes is hot
    /// ```
    ///
    /// Source: [RxJava, switchIfEmpty](https://reactivex.io/documentation/operators/defaultifempty.html).
    @inlinable
    public func ifEmpty(switchTo other: some ObservableConvertibleType<Element>) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return Observable { downstream, lifetime in
            let isEmpty = SerialState(true)
            source.subscribe(in: lifetime.child()) { event in
                if event.isCompleted, isEmpty.value { return other.startLast(downstream, lifetime) }
                isEmpty.value = false
                downstream.on(event)
            }
        }
    }
}
