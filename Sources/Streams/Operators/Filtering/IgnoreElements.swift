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
    @inlinable
    public func ignoreElements() -> Observable<Never> {
        compactMap { _ in nil }
    }
}
