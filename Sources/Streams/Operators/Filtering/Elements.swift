extension ObservableType {
    /// Emits the element at `index`, counted from 0, and completes; fails with `StreamError.noElement` if upstream completes earlier.
    ///
    /// ```swift
    /// numbers.element(at: 1)
    /// // --1--2--3--|
    /// // -----(2|)
    /// ```
    ///
    /// Upstream is disposed then. Source: [ReactiveX, ElementAt](https://reactivex.io/documentation/operators/elementat.html).
    @inlinable
    public func element(at index: Int) -> Observable<Element> {
        guard index >= 0 else { return .error(StreamError.noElement(at: index)) }
        return skip(index).take(1)._failing(ifEmpty: .noElement(at: index))
    }

    /// Emits the first element and completes; fails with `StreamError.noElements` if there is none. `take(1)` does not fail.
    ///
    /// ```swift
    /// numbers.first()
    /// // --1--2--|
    /// // --(1|)
    /// ```
    ///
    /// Upstream is disposed then. Source: [ReactiveX, First](https://reactivex.io/documentation/operators/first.html).
    @inlinable
    public func first() -> Observable<Element> {
        take(1)._failing(ifEmpty: .noElements)
    }

    /// Emits the first element that satisfies `predicate`: `filter` and ``first()``.
    @inlinable
    public func first(where predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        filter(predicate).first()
    }

    /// Emits the last element when upstream completes; fails with `StreamError.noElements` if there is none. `takeLast(1)` does not.
    ///
    /// ```swift
    /// numbers.last()
    /// // --1--2--|
    /// // --------(2|)
    /// ```
    ///
    /// Runs where upstream emits; stores one element. Source: [ReactiveX, Last](https://reactivex.io/documentation/operators/last.html).
    @inlinable
    public func last() -> Observable<Element> {
        reduce(into: Element?.none) { last, element in last = element }.unwrap(orThrow: StreamError.noElements)
    }

    /// Emits the only element and completes with upstream; fails with `StreamError.noElements` if there is none, and at a second one with
    /// `StreamError.moreThanOneElement`, which disposes upstream.
    ///
    /// ```swift
    /// numbers.single()
    /// // --1--2--|
    /// // --1--#
    /// ```
    ///
    /// The element is emitted as soon as it is received; `asSingle()` waits for the completion.
    /// Source: [RxSwift, single](https://reactivex.io/documentation/operators/first.html).
    @inlinable
    public func single() -> Observable<Element> {
        enumerated().map { numbered in
            guard numbered.index == 0 else { throw StreamError.moreThanOneElement }
            return numbered.element
        }
        ._failing(ifEmpty: .noElements)
    }

    /// Emits the only element that satisfies `predicate`: `filter` and ``single()``.
    @inlinable
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        filter(predicate).single()
    }
}

extension Observable {
    /// Fails with `error` if upstream completes without an element.
    @inlinable
    func _failing(ifEmpty error: StreamError) -> Observable<Element> {
        let start = start
        return Observable { downstream, lifetime in
            let isEmpty = SerialState(true)
            start(
                AnyObserver.receiving { event in
                    if event.isCompleted, isEmpty.value { return downstream.onError(error) }
                    isEmpty.value = false
                    downstream.forward(event)
                }, lifetime)
        }
    }
}
