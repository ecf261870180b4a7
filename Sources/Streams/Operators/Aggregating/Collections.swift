extension ObservableType where Element: Hashable {
    /// Sends all elements as one set when upstream completes. Its memory is that of the different elements.
    ///
    /// ```swift
    /// numbers.toSet().map(\.count)
    /// // --1--2--1--|
    /// // -----------(2|)
    /// ```
    ///
    /// Runs where upstream sends. Source: [ReactiveX, To](https://reactivex.io/documentation/operators/to.html).
    public func toSet() -> Observable<Set<Element>> {
        asObservable()._reduce(into: []) { set, element in set.insert(element) }
    }
}

extension ObservableType {
    /// Sends, when upstream completes, a dictionary of what `valueSelector` makes of the elements under what `keySelector` does; of two
    /// elements with the same key the later counts. A throw ends the stream.
    ///
    /// ```swift
    /// numbers.toDictionary(keySelector: { $0 % 2 }, valueSelector: { $0 * 10 }).map { $0[1] ?? 0 }
    /// // --1--2--3--|
    /// // -----------(x|)   x = 30
    /// ```
    ///
    /// Runs where upstream sends. Its memory is that of the dictionary.
    /// Source: [RxJava, toMap](https://reactivex.io/documentation/operators/to.html).
    public func toDictionary<Key: Hashable & Sendable, Value: Sendable>(
        keySelector: @escaping @Sendable (Element) throws -> Key, valueSelector: @escaping @Sendable (Element) throws -> Value
    ) -> Observable<[Key: Value]> {
        asObservable()._reduce(into: [:]) { dictionary, element in
            dictionary[try keySelector(element)] = try valueSelector(element)
        }
    }

    /// Sends, when upstream completes, a dictionary of the elements under what `keySelector` makes of them; otherwise as
    /// ``toDictionary(keySelector:valueSelector:)``.
    public func toDictionary<Key: Hashable & Sendable>(
        keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<[Key: Element]> {
        toDictionary(keySelector: keySelector, valueSelector: { $0 })
    }

    /// Sends all elements as one array when upstream completes, in the order that `areInIncreasingOrder` says; a throw ends the stream.
    ///
    /// ```swift
    /// numbers.sorted(by: >)
    /// // --1--3--2--|
    /// // -----------(a|)   a = [3, 2, 1]
    /// ```
    ///
    /// Runs where upstream sends. Its memory is that of the stream; the end sorts it.
    /// Source: [RxJava, toSortedList](https://reactivex.io/documentation/operators/to.html).
    public func sorted(by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<[Element]> {
        toArray().map { try $0.sorted(by: areInIncreasingOrder) }
    }
}

extension ObservableType where Element: Comparable {
    /// Sends all elements as one array when upstream completes, in their order; otherwise as ``sorted(by:)``.
    public func sorted() -> Observable<[Element]> {
        toArray().map { $0.sorted() }
    }
}
