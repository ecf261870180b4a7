extension ObservableType {
    /// Sends no element, only the end or the error.
    ///
    /// ```swift
    /// numbers.ignoreElements()
    /// // --1--2--|
    /// // --------|
    /// ```
    ///
    /// Runs where upstream sends. Source: [ReactiveX, IgnoreElements](https://reactivex.io/documentation/operators/ignoreelements.html).
    public func ignoreElements() -> Observable<Never> {
        asObservable()._withoutElements()
    }
}

extension Observable {
    /// Only the terminal event, as that of a stream of anything.
    func _withoutElements<Result: Sendable>() -> Observable<Result> {
        _compactMap { _ in nil }
    }
}
