extension ObservableType where Element: Equatable {
    /// Emits whether `other` emits equal elements in the same order and number, as soon as that is known; both are disposed then.
    ///
    /// ```swift
    /// numbers.sequenceEqual(others)
    /// // numbers --1--2-----|
    /// // others  -----1---3--|
    /// //         ---------(f|)   f = false
    /// ```
    ///
    /// Unmatched elements are buffered without bound. Fails at an error of either.
    /// Source: [ReactiveX, SequenceEqual](https://reactivex.io/documentation/operators/sequenceequal.html).
    @inlinable
    public func sequenceEqual(_ other: some ObservableConvertibleType<Element>) -> Observable<Bool> {
        let (left, right) = (asObservable(), other.asObservable())
        return Observable<Bool> { downstream, lifetime in
            let serializer = SharedSerializer(lifetime)
            let comparison = SerialState(Comparison<Element>())
            for (source, side) in [(left, 0), (right, 1)] {
                serializer.subscribe(to: source) { event in
                    if case .error(let error) = event { return downstream.onError(error) }
                    guard let areEqual = comparison.value.take(event.element, from: side) else { return }
                    downstream.finish(with: areEqual, in: lifetime)
                }
            }
        }
    }
}

/// The unmatched elements of two streams.
@usableFromInline
struct Comparison<Element: Equatable> {
    @usableFromInline var waiting = [ElementQueue<Element>(), ElementQueue<Element>()]
    @usableFromInline var isDone = [false, false]

    @inlinable
    init() {}

    /// Adds an element, or the completion, of one side; returns the result as soon as it is known.
    @inlinable
    mutating func take(_ element: Element?, from side: Int) -> Bool? {
        let other = 1 - side
        guard let element else {
            isDone[side] = true
            if !waiting[other].isEmpty { return false }
            return isDone[other] ? waiting[side].isEmpty : nil
        }
        if let partner = waiting[other].popFirst() { return partner == element ? nil : false }
        if isDone[other] { return false }
        waiting[side].append(element)
        return nil
    }
}
