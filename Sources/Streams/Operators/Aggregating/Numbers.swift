extension ObservableType {
    /// Emits the number of elements when upstream completes.
    ///
    /// ```swift
    /// letters.count()
    /// // --a--b--|
    /// // --------(2|)
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Count](https://reactivex.io/documentation/operators/count.html).
    @inlinable
    public func count() -> Observable<Int> {
        reduce(into: 0) { count, _ in count += 1 }
    }

    /// Emits the number of elements that satisfy `predicate` when upstream completes; fails if it throws. Otherwise like ``count()``.
    @inlinable
    public func count(where predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Int> {
        filter(predicate).count()
    }

    /// Emits the minimum by `areInIncreasingOrder` when upstream completes, or only completes if it is empty. Of several equal elements it
    /// emits the first. Fails if the closure throws.
    ///
    /// ```swift
    /// numbers.min { $0 % 3 < $1 % 3 }
    /// // --1--3--2--|
    /// // -----------(3|)
    /// ```
    ///
    /// Runs where upstream emits; stores one element. Source: [ReactiveX, Min](https://reactivex.io/documentation/operators/min.html).
    @inlinable
    public func min(by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        asObservable()._best { element, best in try areInIncreasingOrder(element, best) }
    }

    /// Emits the maximum by `areInIncreasingOrder` when upstream completes, or only completes if it is empty. Of several equal elements it
    /// emits the last. Fails if the closure throws.
    ///
    /// ```swift
    /// numbers.max { $0 % 3 < $1 % 3 }
    /// // --1--3--2--|
    /// // -----------(2|)
    /// ```
    ///
    /// Runs where upstream emits; stores one element. Source: [ReactiveX, Max](https://reactivex.io/documentation/operators/max.html).
    @inlinable
    public func max(by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        asObservable()._best { element, best in try !areInIncreasingOrder(element, best) }
    }
}

extension ObservableType where Element: Comparable {
    /// Emits the minimum when upstream completes, or only completes if it is empty; otherwise like ``min(by:)``.
    @inlinable
    public func min() -> Observable<Element> {
        min { $0 < $1 }
    }

    /// Emits the maximum when upstream completes, or only completes if it is empty; otherwise like ``max(by:)``.
    @inlinable
    public func max() -> Observable<Element> {
        max { $0 < $1 }
    }
}

extension ObservableType where Element: AdditiveArithmetic {
    /// Emits the sum of the elements when upstream completes; zero if there is none.
    ///
    /// ```swift
    /// numbers.sum()
    /// // --1--2--|
    /// // --------(3|)
    /// ```
    ///
    /// Runs where upstream emits. Overflow traps, as with `+`.
    /// Source: [ReactiveX, Sum](https://reactivex.io/documentation/operators/sum.html).
    @inlinable
    public func sum() -> Observable<Element> {
        reduce(into: .zero) { sum, element in sum += element }
    }
}

extension ObservableType where Element: BinaryInteger {
    /// Emits the mean of the elements when upstream completes, or only completes if it is empty.
    ///
    /// ```swift
    /// numbers.average()
    /// // --1--2--|
    /// // --------(x|)   x = 1.5
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Average](https://reactivex.io/documentation/operators/average.html).
    @inlinable
    public func average() -> Observable<Double> {
        map { Double($0) }.average()
    }
}

extension ObservableType where Element: BinaryFloatingPoint {
    /// Emits the mean of the elements when upstream completes, or only completes if it is empty, like ``average()`` of integers.
    @inlinable
    public func average() -> Observable<Element> {
        reduce(into: (sum: Element.zero, count: 0)) { total, element in
            total.sum += element
            total.count += 1
        }
        .compactMap { total in total.count > 0 ? total.sum / Element(total.count) : nil }
    }
}

extension Observable {
    /// Emits, when upstream completes, the element that `isBetter` than all others.
    @inlinable
    func _best(_ isBetter: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        reduce(into: Element?.none) { best, element in
            if let current = best, try !isBetter(element, current) { return }
            best = element
        }
        .compactMap { $0 }
    }
}
