extension Observable {
    /// Emits the result of `resultSelector` for the latest elements of two streams, whenever one of them emits and both have.
    ///
    /// ```swift
    /// Observable.combineLatest(numbers, others) { $0 * $1 }
    /// // numbers --1--------2---|
    /// // others  -----3--4----|
    /// //         -----3--4--8---|
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
            let state = SlotState(count: 2)
            let slotA = LatestSlot<A.Element>(state), slotB = LatestSlot<B.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.latest, slotB.latest)
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
        }
    }

    /// Emits the result of `resultSelector` for the latest elements of three streams; otherwise like
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func combineLatest<A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType>(
        _ a: A, _ b: B, _ c: C, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 3)
            let slotA = LatestSlot<A.Element>(state), slotB = LatestSlot<B.Element>(state), slotC = LatestSlot<C.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.latest, slotB.latest, slotC.latest)
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
        }
    }

    /// Emits the result of `resultSelector` for the latest elements of four streams; otherwise like
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 4)
            let slotA = LatestSlot<A.Element>(state), slotB = LatestSlot<B.Element>(state)
            let slotC = LatestSlot<C.Element>(state), slotD = LatestSlot<D.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.latest, slotB.latest, slotC.latest, slotD.latest)
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
            combination.subscribe(to: d, slotD)
        }
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
            let state = SlotState(count: sources.count)
            let slots = sources.map { _ in LatestSlot<Source.Element>(state) }
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slots.map(\.latest))
            }
            for (source, slot) in Swift.zip(sources, slots) {
                combination.subscribe(to: source, slot)
            }
        }
    }
}
