extension ObservableType {
    /// Emits only the terminal event.
    ///
    /// ```swift
    /// numbers.ignoreElements()
    /// // --1--2--|
    /// // --------|
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, IgnoreElements](https://reactivex.io/documentation/operators/ignoreelements.html).
    public func ignoreElements() -> Observable<Never> {
        asObservable()._withoutElements()
    }
}

extension Observable {
    /// Emits only the terminal event, as a stream of any type.
    func _withoutElements<Result: Sendable>() -> Observable<Result> {
        _compactMap { _ in nil }
    }
}
