extension ObservableType {
    /// Splits this stream in two: the elements that satisfy `predicate`, and the others. Both share one subscription to it.
    ///
    /// ```swift
    /// let (even, odd) = numbers.partition { $0.isMultiple(of: 2) }
    /// // --1--2--3--4--|
    /// // -----2-----4--|        even
    /// ```
    ///
    /// Upstream is subscribed to with the first of the two, and disposed with the last. Both fail if `predicate` throws.
    /// Source: [RxSwiftExt, partition](https://github.com/RxSwiftCommunity/RxSwiftExt).
    @inlinable
    public func partition(
        _ predicate: @escaping @Sendable (Element) throws -> Bool
    ) -> (matches: Observable<Element>, nonMatches: Observable<Element>) {
        let judged = map { element in (element: element, matches: try predicate(element)) }.share()
        return (
            judged.compactMap { $0.matches ? $0.element : nil },
            judged.compactMap { $0.matches ? nil : $0.element }
        )
    }
}
