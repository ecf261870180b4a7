extension ObservableType {
    /// Skips elements whose key has occurred before; fails if `keySelector` throws.
    ///
    /// ```swift
    /// numbers.distinct { $0 % 3 }
    /// // --1--2--4--3--|
    /// // --1--2-----3--|
    /// ```
    ///
    /// Remembers the last `capacity` keys; by default its memory grows with the number of distinct keys. Keys are hashed where upstream
    /// emits.
    /// Source: [ReactiveX, Distinct](https://reactivex.io/documentation/operators/distinct.html).
    @inlinable
    public func distinct<Key: Hashable & Sendable>(
        capacity: Int = .max, _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let known = SerialState((keys: Set<Key>(), order: ElementQueue<Key>()))
            start(
                downstream.forwarding { element in
                    let key = try keySelector(element)
                    guard known.value.keys.insert(key).inserted else { return }
                    if capacity < .max { known.value.order.append(key) }
                    if known.value.order.count > Swift.max(1, capacity), let oldest = known.value.order.popFirst() {
                        known.value.keys.remove(oldest)
                    }
                    downstream.onNext(element)
                }, lifetime)
        }
    }
}

extension ObservableType where Element: Hashable {
    /// Skips elements that have occurred before; remembers the last `capacity` of them, or all.
    ///
    /// ```swift
    /// numbers.distinct(capacity: 2)
    /// // --1--2--1--3--1--|
    /// // --1--2-----3--1--|
    /// ```
    ///
    /// Elements are hashed where upstream emits. Source: [ReactiveX, Distinct](https://reactivex.io/documentation/operators/distinct.html).
    @inlinable
    public func distinct(capacity: Int = .max) -> Observable<Element> {
        distinct(capacity: capacity) { $0 }
    }
}
