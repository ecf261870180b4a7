// The forms of three to eight streams are made from those of two, by .ci/arities.
extension Observable {
    /// Emits the result of `resultSelector` for the first elements of two streams, then for their second elements, and so on.
    ///
    /// ```swift
    /// Observable.zip(numbers, others) { $0 * $1 }
    /// // numbers --1--2--------3--|
    /// // others  -------4--5-|
    /// //         -------4--x-|   x = 10
    ///
    /// Observable.zip(a, b, c, d, e) { $0 + $1 + $2 + $3 + $4 }    // two to eight streams
    /// // a -0----1-----|
    /// // b --0----0----|
    /// // c ---1----1---|
    /// // d ----0----0--|
    /// // e -----2----3-|
    /// //   -----3----5-|
    /// ```
    ///
    /// An upstream that is 128 elements ahead is suspended; one that cannot be is buffered without bound. O(streams) for each element.
    /// Completes as soon as a completed stream has no buffered element, and disposes the others. Fails immediately at an error or if the
    /// closure throws; with `delayErrors` an error counts as the completion of its stream and is emitted at the end.
    ///
    /// Source: [ReactiveX, Zip](https://reactivex.io/documentation/operators/zip.html).
    @inlinable
    public static func zip<A: ObservableConvertibleType, B: ObservableConvertibleType>(
        _ a: A, _ b: B, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = ZipSlot<A.Element>()
            let slotB = ZipSlot<B.Element>()
            let combination = Combination(downstream, lifetime, count: 2, delayErrors: delayErrors) { combination in
                try resultSelector(slotA.take(in: combination), slotB.take(in: combination))
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
        }
    }

    /// Emits the first elements of two streams as a tuple, then their second elements, and so on.
    ///
    /// ```swift
    /// Observable.zip(letters, numbers).map { letter, number in "\(letter)\(number)" }
    /// // letters --a-----b--------c--|
    /// // numbers -----1-----2-----|
    /// //         -----x-----y-----|   x = a1, y = b2
    /// ```
    ///
    /// Terminates like ``zip(_:_:delayErrors:resultSelector:)``: an upstream that is 128 elements ahead is suspended.
    /// Source: [ReactiveX, Zip](https://reactivex.io/documentation/operators/zip.html).
    @inlinable
    public static func zip<A: ObservableConvertibleType, B: ObservableConvertibleType>(
        _ a: A, _ b: B, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element) {
        zip(a, b, delayErrors: delayErrors) { ($0, $1) }
    }

    /// Emits the result of `resultSelector` for the elements of all `sources`; otherwise like ``zip(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func zip<Source: ObservableConvertibleType>(
        _ sources: [Source], delayErrors: Bool = false, resultSelector: @escaping @Sendable ([Source.Element]) throws -> Element
    ) -> Observable<Element> {
        guard !sources.isEmpty else { return .empty() }
        return Observable { downstream, lifetime in
            let slots = sources.map { _ in ZipSlot<Source.Element>() }
            let combination = Combination(downstream, lifetime, count: sources.count, delayErrors: delayErrors) { combination in
                try resultSelector(slots.map { $0.take(in: combination) })
            }
            for (source, slot) in Swift.zip(sources, slots) {
                combination.subscribe(to: source, slot)
            }
        }
    }

    /// Emits arrays of one element of each of `sources`, as ``zip(_:_:delayErrors:)``.
    @inlinable
    public static func zip<Source: ObservableConvertibleType>(_ sources: [Source], delayErrors: Bool = false) -> Observable<Element>
    where Element == [Source.Element] {
        zip(sources, delayErrors: delayErrors) { $0 }
    }
}

extension ObservableType {
    /// Emits the elements of this stream and another by index, as tuples; otherwise like ``Observable/zip(_:_:delayErrors:)``.
    @inlinable
    public func zip<B: ObservableConvertibleType>(_ other: B, delayErrors: Bool = false) -> Observable<(Element, B.Element)> {
        Observable.zip(self, other, delayErrors: delayErrors)
    }

    /// Emits the elements of this stream and two others by index, as tuples; otherwise like ``Observable/zip(_:_:delayErrors:)``.
    @inlinable
    public func zip<B: ObservableConvertibleType, C: ObservableConvertibleType>(
        _ second: B, _ third: C, delayErrors: Bool = false
    ) -> Observable<(Element, B.Element, C.Element)> {
        Observable.zip(self, second, third, delayErrors: delayErrors)
    }

    /// Emits the elements of this stream and three others by index, as tuples; otherwise like ``Observable/zip(_:_:delayErrors:)``.
    @inlinable
    public func zip<B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType>(
        _ second: B, _ third: C, _ fourth: D, delayErrors: Bool = false
    ) -> Observable<(Element, B.Element, C.Element, D.Element)> {
        Observable.zip(self, second, third, fourth, delayErrors: delayErrors)
    }
}
