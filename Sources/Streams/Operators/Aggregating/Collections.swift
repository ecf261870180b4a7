extension ObservableType where Element: Hashable {
    /// Emits all elements as a set when upstream completes. Stores the distinct elements.
    ///
    /// ```swift
    /// numbers.toSet().map(\.count)
    /// // --1--2--1--|
    /// // -----------(2|)
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, To](https://reactivex.io/documentation/operators/to.html).
    @inlinable
    public func toSet() -> Observable<Set<Element>> {
        reduce(into: []) { set, element in set.insert(element) }
    }
}

extension ObservableType {
    /// Emits a dictionary of the transformed elements by their keys when upstream completes; of two elements with the same key the later
    /// wins. Fails if a closure throws.
    ///
    /// ```swift
    /// numbers.toDictionary(keySelector: { $0 % 2 }, valueSelector: { $0 * 10 }).map { $0[1] ?? 0 }
    /// // --1--2--3--|
    /// // -----------(x|)   x = 30
    /// ```
    ///
    /// Runs where upstream emits. Stores the dictionary.
    /// Source: [RxJava, toMap](https://reactivex.io/documentation/operators/to.html).
    @inlinable
    public func toDictionary<Key: Hashable & Sendable, Value: Sendable>(
        keySelector: @escaping @Sendable (Element) throws -> Key, valueSelector: @escaping @Sendable (Element) throws -> Value
    ) -> Observable<[Key: Value]> {
        reduce(into: [:]) { dictionary, element in
            dictionary[try keySelector(element)] = try valueSelector(element)
        }
    }

    /// Emits a dictionary of the elements by their keys when upstream completes; otherwise like
    /// ``toDictionary(keySelector:valueSelector:)``.
    @inlinable
    public func toDictionary<Key: Hashable & Sendable>(
        keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<[Key: Element]> {
        toDictionary(keySelector: keySelector, valueSelector: { $0 })
    }

    /// Emits all elements as an array when upstream completes, sorted by `areInIncreasingOrder`; fails if it throws.
    ///
    /// ```swift
    /// numbers.sorted(by: >)
    /// // --1--3--2--|
    /// // -----------(a|)   a = [3, 2, 1]
    /// ```
    ///
    /// Runs where upstream emits. Stores all elements, and sorts them on completion.
    /// Source: [RxJava, toSortedList](https://reactivex.io/documentation/operators/to.html).
    @inlinable
    public func sorted(by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<[Element]> {
        toArray().map { try $0.sorted(by: areInIncreasingOrder) }
    }
}

extension ObservableType where Element: Comparable {
    /// Emits all elements as a sorted array when upstream completes; otherwise like ``sorted(by:)``.
    @inlinable
    public func sorted() -> Observable<[Element]> {
        toArray().map { $0.sorted() }
    }
}
