// The forms of three to eight streams are made from those of two, by .ci/arities.
extension Observable {
    /// Emits the result of `resultSelector` for the latest elements of two streams, whenever one of them emits and both have.
    ///
    /// ```swift
    /// Observable.combineLatest(numbers, others) { $0 * $1 }
    /// // numbers --1--------2---|
    /// // others  -----3--4----|
    /// //         -----3--4--8---|
    ///
    /// Observable.combineLatest(a, b, c, d, e) { $0 + $1 + $2 + $3 + $4 }    // two to eight streams
    /// // a -0----------|
    /// // b --0---------|
    /// // c ---1--------|
    /// // d ----0-------|
    /// // e -----2--5---|
    /// //   -----3--6---|
    /// ```
    ///
    /// Completes when no further element is possible: when all have completed, or one has without an element. Fails immediately at an error
    /// or if the closure throws, and disposes all streams; with `delayErrors` an error counts as the completion of its stream and is
    /// emitted at the end. Stores one element of each stream; O(1) for each element.
    /// Source: [ReactiveX, CombineLatest](https://reactivex.io/documentation/operators/combinelatest.html).
    @inlinable
    public static func combineLatest<A: ObservableConvertibleType, B: ObservableConvertibleType>(
        _ a: A, _ b: B, delayErrors: Bool = false, resultSelector: @escaping @Sendable (A.Element, B.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = LatestSlot<A.Element>()
            let slotB = LatestSlot<B.Element>()
            let combination = Combination(downstream, lifetime, count: 2, delayErrors: delayErrors) { _ in
                try resultSelector(slotA.latest, slotB.latest)
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
        }
    }

    /// Emits the latest elements of two streams as a tuple, whenever one of them emits and both have.
    ///
    /// ```swift
    /// Observable.combineLatest(letters, numbers).map { letter, number in "\(letter)\(number)" }
    /// // letters --a-----------b--|
    /// // numbers -----1-----2-----|
    /// //         -----x-----y--z--|   x = a1, y = a2, z = b2
    /// ```
    ///
    /// Terminates like ``combineLatest(_:_:delayErrors:resultSelector:)``. Stores one element of each stream; O(1) for each element.
    /// Source: [ReactiveX, CombineLatest](https://reactivex.io/documentation/operators/combinelatest.html).
    @inlinable
    public static func combineLatest<A: ObservableConvertibleType, B: ObservableConvertibleType>(
        _ a: A, _ b: B, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element) {
        combineLatest(a, b, delayErrors: delayErrors) { ($0, $1) }
    }

    /// Emits the result of `resultSelector` for the latest elements of all `sources`; otherwise like
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``. O(sources) for each element.
    ///
    /// Without sources it emits the result of `resultSelector` for no elements, and completes.
    @inlinable
    public static func combineLatest<Source: ObservableConvertibleType>(
        _ sources: [Source], delayErrors: Bool = false, resultSelector: @escaping @Sendable ([Source.Element]) throws -> Element
    ) -> Observable<Element> {
        guard !sources.isEmpty else { return .fromCallable { try resultSelector([]) } }
        return Observable { downstream, lifetime in
            let slots = sources.map { _ in LatestSlot<Source.Element>() }
            let combination = Combination(downstream, lifetime, count: sources.count, delayErrors: delayErrors) { _ in
                try resultSelector(slots.map(\.latest))
            }
            for (source, slot) in Swift.zip(sources, slots) {
                combination.subscribe(to: source, slot)
            }
        }
    }

    /// Emits arrays of the latest elements of all `sources`, as ``combineLatest(_:_:delayErrors:)``.
    @inlinable
    public static func combineLatest<Source: ObservableConvertibleType>(
        _ sources: [Source], delayErrors: Bool = false
    ) -> Observable<Element> where Element == [Source.Element] {
        combineLatest(sources, delayErrors: delayErrors) { $0 }
    }
}

extension ObservableType {
    /// Emits the latest elements of this stream and another as a tuple; otherwise like ``Observable/combineLatest(_:_:delayErrors:)``.
    @inlinable
    public func combineLatest<B: ObservableConvertibleType>(
        _ other: B, delayErrors: Bool = false
    ) -> Observable<(Element, B.Element)> {
        Observable.combineLatest(self, other, delayErrors: delayErrors)
    }

    /// Emits the latest elements of this stream and two others as a tuple; otherwise like
    /// ``Observable/combineLatest(_:_:delayErrors:)``.
    @inlinable
    public func combineLatest<B: ObservableConvertibleType, C: ObservableConvertibleType>(
        _ second: B, _ third: C, delayErrors: Bool = false
    ) -> Observable<(Element, B.Element, C.Element)> {
        Observable.combineLatest(self, second, third, delayErrors: delayErrors)
    }

    /// Emits the latest elements of this stream and three others as a tuple; otherwise like
    /// ``Observable/combineLatest(_:_:delayErrors:)``.
    @inlinable
    public func combineLatest<B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType>(
        _ second: B, _ third: C, _ fourth: D, delayErrors: Bool = false
    ) -> Observable<(Element, B.Element, C.Element, D.Element)> {
        Observable.combineLatest(self, second, third, fourth, delayErrors: delayErrors)
    }
}
