extension ObservableType {
    /// Skips elements whose key equals that of the previous element; fails if `keySelector` throws.
    ///
    /// ```swift
    /// numbers.distinctUntilChanged { $0 / 2 }
    /// // --1--2--3--5--|
    /// // --1--2-----5--|
    /// ```
    ///
    /// Keys are compared where upstream emits; one key is stored.
    /// Source: [ReactiveX, Distinct](https://reactivex.io/documentation/operators/distinct.html).
    @inlinable @inline(__always)
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> {
        asObservable()._distinctUntilChanged(keySelector) { $0 == $1 }
    }

    /// Skips elements that `areEqual` considers equal to the previous one; fails if it throws.
    ///
    /// ```swift
    /// numbers.distinctUntilChanged(by: { $0 >= $1 })
    /// // --1--3--2--4--|
    /// // --1--3-----4--|
    /// ```
    ///
    /// Elements are compared where upstream emits; one is stored.
    /// Source: [ReactiveX, Distinct](https://reactivex.io/documentation/operators/distinct.html).
    @inlinable @inline(__always)
    public func distinctUntilChanged(by areEqual: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        asObservable()._distinctUntilChanged({ $0 }, areEqual)
    }
}

extension ObservableType where Element: Equatable {
    /// Skips elements that equal the previous one.
    ///
    /// ```swift
    /// numbers.distinctUntilChanged()
    /// // --1--1--2--1--|
    /// // --1-----2--1--|
    /// ```
    ///
    /// Elements are compared where upstream emits; one is stored.
    /// Source: [ReactiveX, Distinct](https://reactivex.io/documentation/operators/distinct.html).
    @inlinable @inline(__always)
    public func distinctUntilChanged() -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let previous = EmittingState(Element?.none, emittingTo: downstream)
            start(
                AnyObserver.receiving { event in
                    switch consume event {
                    case .next(let element):
                        if previous.replace(with: element) { previous.downstream.forward(element) }
                    case let event: previous.downstream.forward(event)
                    }
                }, lifetime)
        }
    }
}

extension Observable {
    @inlinable @inline(__always)
    func _distinctUntilChanged<Key: Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key,
        _ areEqual: @escaping @Sendable (Key, Key) throws -> Bool
    ) -> Observable<Element> {
        let start = start
        return Observable { downstream, lifetime in
            let previous = SerialState<Key?>(nil)
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element):
                        do {
                            let key = try keySelector(element)
                            // The key is taken out, to be compared without being copied.
                            let last = previous.value.take()
                            if let last, try areEqual(last, key) { return previous.value = last }
                            previous.value = key
                        } catch { return downstream.onError(error) }
                        downstream.onNext(consume element)
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }
}

extension EmittingState {
    /// Stores a copy of `element`; returns `false` if it equals the previous one.
    ///
    /// The element is compared and replaced in place: taking a large one out of its optional would copy it.
    @inlinable @inline(__always)
    func replace(with element: borrowing ElementReference<Output>) -> Bool where Output: Equatable, Value == Output? {
        guard case .some = value else {
            value = unsafe element.address.pointee
            return true
        }
        // Law 2: nothing else accesses the value meanwhile. The address is taken of the payload itself: what is read or written through a converted pointer to the optional, the optimizer
        // of Swift 6.3.1 may take for other memory.
        // swift-format-ignore: NeverForceUnwrap
        return unsafe _withUnprotectedUnsafeMutablePointer(to: &value!) { last in
            guard unsafe last.pointee != element.address.pointee else { return false }
            unsafe last.pointee = unsafe element.address.pointee
            return true
        }
    }
}
