extension ObservableType {
    /// Emits the element at `index`, counted from 0, and completes; fails with `StreamError.noElement` if upstream completes before.
    ///
    /// ```swift
    /// numbers.element(at: 1)
    /// // --1--2--3--|
    /// // -----(2|)
    /// ```
    ///
    /// Upstream is disposed then. Source: [ReactiveX, ElementAt](https://reactivex.io/documentation/operators/elementat.html).
    public func element(at index: Int) -> Observable<Element> {
        guard index >= 0 else { return .error(StreamError.noElement(at: index)) }
        return asObservable()._only(at: index, orThrow: .noElement(at: index))
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
    public func first() -> Observable<Element> {
        asObservable()._only(at: 0, orThrow: .noElements)
    }

    /// Emits the first element that satisfies `predicate`: `filter` and ``first()``.
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
    public func last() -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let last = SerialState<Element?>(nil)
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element): last.value = element
                    case .error(let error): downstream.onError(error)
                    case .completed:
                        guard let element = last.value.take() else { return downstream.onError(StreamError.noElements) }
                        downstream.finish(with: element, in: lifetime)
                    }
                }, lifetime)
        }
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
    public func single() -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let hasOne = SerialState(false)
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element):
                        guard !hasOne.value else { return downstream.onError(StreamError.moreThanOneElement) }
                        hasOne.value = true
                        downstream.onNext(element)
                    case .error(let error): downstream.onError(error)
                    case .completed: hasOne.value ? downstream.onCompleted() : downstream.onError(StreamError.noElements)
                    }
                }, lifetime)
        }
    }

    /// Emits the only element that satisfies `predicate`: `filter` and ``single()``.
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        filter(predicate).single()
    }
}

extension Observable {
    /// Emits the element at `index` and completes; fails if upstream completes before.
    func _only(at index: Int, orThrow error: StreamError) -> Observable<Element> {
        let start = start
        return Observable { downstream, lifetime in
            let left = SerialState(index)
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element):
                        guard left.value >= 0 else { return }
                        left.value -= 1
                        guard left.value < 0 else { return }
                        downstream.finish(with: element, in: lifetime)
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.onError(error)
                    }
                }, lifetime)
        }
    }
}
