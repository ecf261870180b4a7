extension ObservableType {
    /// Emits whether all elements satisfy `predicate`: `false` at the first that does not, `true` on completion.
    ///
    /// ```swift
    /// numbers.all { $0 < 3 }
    /// // --1--2--3--4--|
    /// // --------(f|)   f = false
    /// ```
    ///
    /// Upstream is disposed as soon as the result is known. Fails if `predicate` throws. Runs where upstream emits.
    /// Source: [ReactiveX, All](https://reactivex.io/documentation/operators/all.html).
    @inlinable
    public func all(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Bool> {
        asObservable()._answer(false, otherwise: true) { try !predicate($0) }
    }

    /// Emits whether any element satisfies `predicate`: `true` at the first that does, `false` on completion.
    ///
    /// ```swift
    /// numbers.any { $0 > 1 }
    /// // --1--2--3--|
    /// // -----(t|)   t = true
    /// ```
    ///
    /// Upstream is disposed as soon as the result is known. Fails if `predicate` throws. Runs where upstream emits.
    /// Source: [ReactiveX, Contains](https://reactivex.io/documentation/operators/contains.html).
    @inlinable
    public func any(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Bool> {
        asObservable()._answer(true, otherwise: false, predicate)
    }

    /// Emits whether the stream is empty: `false` at the first element, `true` on completion. Upstream is disposed as soon as the result is
    /// known.
    ///
    /// ```swift
    /// numbers.isEmpty()
    /// // --1--2--|
    /// // --(f|)   f = false
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Contains](https://reactivex.io/documentation/operators/contains.html).
    @inlinable
    public func isEmpty() -> Observable<Bool> {
        asObservable()._answer(false, otherwise: true) { _ in true }
    }
}

extension ObservableType where Element: Equatable {
    /// Emits whether any element equals `element`: `true` at the first that does, `false` on completion. Upstream is disposed as soon as
    /// the result is known.
    ///
    /// ```swift
    /// numbers.contains(2)
    /// // --1--2--3--|
    /// // -----(t|)   t = true
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Contains](https://reactivex.io/documentation/operators/contains.html).
    @inlinable
    public func contains(_ element: Element) -> Observable<Bool> {
        let constant = Constant(element)
        return any { $0 == constant.value }
    }
}

extension Observable {
    /// Emits `answer` at the first element that `decides`, or `otherwise` on completion.
    @inlinable
    func _answer(
        _ answer: Bool, otherwise: Bool, _ decides: @escaping @Sendable (Element) throws -> Bool
    ) -> Observable<Bool> {
        filter(decides).take(1).mapTo(answer).ifEmpty(default: otherwise)
    }
}
