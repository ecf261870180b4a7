extension ObservableType {
    /// Sends whether `predicate` is true for all elements: false at the first for which it is not, true at the end.
    ///
    /// ```swift
    /// numbers.all { $0 < 3 }
    /// // --1--2--3--4--|
    /// // --------(f|)   f = false
    /// ```
    ///
    /// Upstream is let go as soon as the answer is known. A throw ends the stream. Runs where upstream sends.
    /// Source: [ReactiveX, All](https://reactivex.io/documentation/operators/all.html).
    public func all(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Bool> {
        asObservable()._answer(false, otherwise: true) { try !predicate($0) }
    }

    /// Sends whether `predicate` is true for some element: true at the first for which it is, false at the end.
    ///
    /// ```swift
    /// numbers.any { $0 > 1 }
    /// // --1--2--3--|
    /// // -----(t|)   t = true
    /// ```
    ///
    /// Upstream is let go as soon as the answer is known. A throw ends the stream. Runs where upstream sends.
    /// Source: [ReactiveX, Contains](https://reactivex.io/documentation/operators/contains.html).
    public func any(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Bool> {
        asObservable()._answer(true, otherwise: false, predicate)
    }

    /// Sends whether there is no element: false at the first, true at the end. Upstream is let go as soon as the answer is known.
    ///
    /// ```swift
    /// numbers.isEmpty()
    /// // --1--2--|
    /// // --(f|)   f = false
    /// ```
    ///
    /// Runs where upstream sends. Source: [ReactiveX, Contains](https://reactivex.io/documentation/operators/contains.html).
    public func isEmpty() -> Observable<Bool> {
        asObservable()._answer(false, otherwise: true) { _ in true }
    }
}

extension ObservableType where Element: Equatable {
    /// Sends whether an element equals `element`: true at the first that does, false at the end. Upstream is let go as soon as the answer
    /// is known.
    ///
    /// ```swift
    /// numbers.contains(2)
    /// // --1--2--3--|
    /// // -----(t|)   t = true
    /// ```
    ///
    /// Runs where upstream sends. Source: [ReactiveX, Contains](https://reactivex.io/documentation/operators/contains.html).
    public func contains(_ element: Element) -> Observable<Bool> {
        any { $0 == element }
    }
}

extension Observable {
    /// Sends `answer` at the first element that `decides`, or `otherwise` at the end.
    func _answer(
        _ answer: Bool, otherwise: Bool, _ decides: @escaping @Sendable (Element) throws -> Bool
    ) -> Observable<Bool> {
        let start = start
        return Observable<Bool> { downstream, lifetime in
            let isDecided = SerialState(false)
            start(
                AnyObserver { event in
                    switch event {
                    case .next(let element):
                        guard !isDecided.value else { return }
                        do { isDecided.value = try decides(element) } catch { return downstream.onError(error) }
                        guard isDecided.value else { return }
                        downstream.finish(with: answer, in: lifetime)
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.finish(with: otherwise, in: lifetime)
                    }
                }, lifetime)
        }
    }
}
