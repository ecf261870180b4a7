extension ObservableType {
    /// Sends the number of elements when upstream completes.
    ///
    /// ```swift
    /// letters.count()
    /// // --a--b--|
    /// // --------(2|)
    /// ```
    ///
    /// Runs where upstream sends. Source: [ReactiveX, Count](https://reactivex.io/documentation/operators/count.html).
    public func count() -> Observable<Int> {
        asObservable()._reduce(into: 0) { count, _ in count += 1 }
    }

    /// Sends the smallest element when upstream completes, as `areInIncreasingOrder` says, or only completes if there is none; the first
    /// of several equal ones. A throw ends the stream.
    ///
    /// ```swift
    /// numbers.min { $0 % 3 < $1 % 3 }
    /// // --1--3--2--|
    /// // -----------(3|)
    /// ```
    ///
    /// Runs where upstream sends; keeps one element. Source: [ReactiveX, Min](https://reactivex.io/documentation/operators/min.html).
    public func min(by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        asObservable()._best { element, best in try areInIncreasingOrder(element, best) }
    }

    /// Sends the largest element when upstream completes, as `areInIncreasingOrder` says, or only completes if there is none; the last of
    /// several equal ones. A throw ends the stream.
    ///
    /// ```swift
    /// numbers.max { $0 % 3 < $1 % 3 }
    /// // --1--3--2--|
    /// // -----------(2|)
    /// ```
    ///
    /// Runs where upstream sends; keeps one element. Source: [ReactiveX, Max](https://reactivex.io/documentation/operators/max.html).
    public func max(by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        asObservable()._best { element, best in try !areInIncreasingOrder(element, best) }
    }
}

extension ObservableType where Element: Comparable {
    /// Sends the smallest element when upstream completes, or only completes if there is none; otherwise as ``min(by:)``.
    public func min() -> Observable<Element> {
        min { $0 < $1 }
    }

    /// Sends the largest element when upstream completes, or only completes if there is none; otherwise as ``max(by:)``.
    public func max() -> Observable<Element> {
        max { $0 < $1 }
    }
}

extension ObservableType where Element: AdditiveArithmetic {
    /// Sends the sum of the elements when upstream completes; zero if there is none.
    ///
    /// ```swift
    /// numbers.sum()
    /// // --1--2--|
    /// // --------(3|)
    /// ```
    ///
    /// Runs where upstream sends. A sum beyond what the type can hold stops the program, as `+` does.
    /// Source: [ReactiveX, Sum](https://reactivex.io/documentation/operators/sum.html).
    public func sum() -> Observable<Element> {
        asObservable()._reduce(into: .zero) { sum, element in sum += element }
    }
}

extension ObservableType where Element: BinaryInteger {
    /// Sends the mean of the elements when upstream completes, or only completes if there is none.
    ///
    /// ```swift
    /// numbers.average()
    /// // --1--2--|
    /// // --------(x|)   x = 1.5
    /// ```
    ///
    /// Runs where upstream sends. Source: [ReactiveX, Average](https://reactivex.io/documentation/operators/average.html).
    public func average() -> Observable<Double> {
        map { Double($0) }.average()
    }
}

extension ObservableType where Element: BinaryFloatingPoint {
    /// Sends the mean of the elements when upstream completes, or only completes if there is none: ``average()`` of integers, without a
    /// conversion.
    public func average() -> Observable<Element> {
        asObservable()._reduce(into: (sum: Element.zero, count: 0)) { total, element in
            total.sum += element
            total.count += 1
        }
        .compactMap { total in total.count > 0 ? total.sum / Element(total.count) : nil }
    }
}

extension Observable {
    /// Sends the element that `isBetter` than all others when upstream completes.
    fileprivate func _best(_ isBetter: @escaping @Sendable (Element, Element) throws -> Bool) -> Observable<Element> {
        _reduce(into: Element?.none) { best, element in
            if let current = best, try !isBetter(element, current) { return }
            best = element
        }
        .compactMap { $0 }
    }
}
