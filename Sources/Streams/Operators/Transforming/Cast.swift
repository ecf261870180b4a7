extension ObservableType {
    /// Emits each element as a `Result`; fails with `StreamError.cast` at an element of another type.
    ///
    /// ```swift
    /// models.cast(to: User.self)
    /// // --a--b--|
    /// // --a--b--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Map](https://reactivex.io/documentation/operators/map.html).
    @inlinable
    public func cast<Result: Sendable>(to type: Result.Type = Result.self) -> Observable<Result> {
        map { element in
            guard let result = element as? Result else {
                throw StreamError.cast(from: "\(Swift.type(of: element as Any))", to: "\(Result.self)")
            }
            return result
        }
    }

    /// Emits the elements of type `Result`, and skips the others.
    ///
    /// ```swift
    /// models.ofType(User.self)
    /// // --a--1--b--|
    /// // --a-----b--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, OfType](https://reactivex.io/documentation/operators/filter.html).
    @inlinable
    public func ofType<Result: Sendable>(_ type: Result.Type = Result.self) -> Observable<Result> {
        compactMap { $0 as? Result }
    }
}
