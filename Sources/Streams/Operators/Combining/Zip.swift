extension Observable {
    /// Emits the result of `resultSelector` for the first elements of two streams, then for their second elements, and so on.
    ///
    /// ```swift
    /// Observable.zip(numbers, others) { $0 * $1 }
    /// // numbers --1--2--------3--|
    /// // others  -------4--5-|
    /// //         -------4--x-|   x = 10
    /// ```
    ///
    /// Unmatched elements are buffered without bound; O(streams) for each element. Completes as soon as a completed stream has no buffered
    /// element, and disposes the others. Fails immediately at an error or if the closure throws; with `delayErrors` an error counts as the
    /// completion of its stream and is emitted at the end.
    ///
    /// Source: [ReactiveX, Zip](https://reactivex.io/documentation/operators/zip.html).
    @inlinable
    public static func zip<A: ObservableConvertibleType, B: ObservableConvertibleType>(
        _ a: A, _ b: B, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 2)
            let slotA = ZipSlot<A.Element>(state), slotB = ZipSlot<B.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take())
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
        }
    }

    /// Emits the result of `resultSelector` for the elements of three streams; otherwise like ``zip(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func zip<A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType>(
        _ a: A, _ b: B, _ c: C, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 3)
            let slotA = ZipSlot<A.Element>(state), slotB = ZipSlot<B.Element>(state)
            let slotC = ZipSlot<C.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take())
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
        }
    }

    /// Emits the result of `resultSelector` for the elements of four streams; otherwise like ``zip(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 4)
            let slotA = ZipSlot<A.Element>(state), slotB = ZipSlot<B.Element>(state)
            let slotC = ZipSlot<C.Element>(state), slotD = ZipSlot<D.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take(), slotD.take())
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
            combination.subscribe(to: d, slotD)
        }
    }

    /// Emits the result of `resultSelector` for the elements of all `sources`; otherwise like ``zip(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func zip<Source: ObservableConvertibleType>(
        _ sources: [Source], delayErrors: Bool = false, resultSelector: @escaping @Sendable ([Source.Element]) throws -> Element
    ) -> Observable<Element> {
        guard !sources.isEmpty else { return .empty() }
        return Observable { downstream, lifetime in
            let state = SlotState(count: sources.count)
            let slots = sources.map { _ in ZipSlot<Source.Element>(state) }
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slots.map { $0.take() })
            }
            for (source, slot) in Swift.zip(sources, slots) {
                combination.subscribe(to: source, slot)
            }
        }
    }
}
