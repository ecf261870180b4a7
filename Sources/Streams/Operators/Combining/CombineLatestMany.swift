extension Observable {
    /// Emits the result of `resultSelector` for the latest elements of five streams; otherwise like
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    ///
    /// ```swift
    /// Observable.combineLatest(a, b, c, d, e) { $0 + $1 + $2 + $3 + $4 }
    /// // a -0----------|
    /// // b --0---------|
    /// // c ---1--------|
    /// // d ----0-------|
    /// // e -----2--5---|
    /// //   -----3--6---|
    /// ```
    ///
    /// Source: [ReactiveX, CombineLatest](https://reactivex.io/documentation/operators/combinelatest.html).
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 5)
            let slotA = LatestSlot<A.Element>(state), slotB = LatestSlot<B.Element>(state)
            let slotC = LatestSlot<C.Element>(state), slotD = LatestSlot<D.Element>(state)
            let slotE = LatestSlot<E.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.latest, slotB.latest, slotC.latest, slotD.latest, slotE.latest)
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
            combination.subscribe(to: d, slotD)
            combination.subscribe(to: e, slotE)
        }
    }

    /// Emits the result of `resultSelector` for the latest elements of six streams; otherwise like
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 6)
            let slotA = LatestSlot<A.Element>(state), slotB = LatestSlot<B.Element>(state)
            let slotC = LatestSlot<C.Element>(state), slotD = LatestSlot<D.Element>(state)
            let slotE = LatestSlot<E.Element>(state), slotF = LatestSlot<F.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.latest, slotB.latest, slotC.latest, slotD.latest, slotE.latest, slotF.latest)
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
            combination.subscribe(to: d, slotD)
            combination.subscribe(to: e, slotE)
            combination.subscribe(to: f, slotF)
        }
    }

    /// Emits the result of `resultSelector` for the latest elements of seven streams; otherwise like
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType, G: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 7)
            let slotA = LatestSlot<A.Element>(state), slotB = LatestSlot<B.Element>(state)
            let slotC = LatestSlot<C.Element>(state), slotD = LatestSlot<D.Element>(state)
            let slotE = LatestSlot<E.Element>(state), slotF = LatestSlot<F.Element>(state)
            let slotG = LatestSlot<G.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.latest, slotB.latest, slotC.latest, slotD.latest, slotE.latest, slotF.latest, slotG.latest)
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
            combination.subscribe(to: d, slotD)
            combination.subscribe(to: e, slotE)
            combination.subscribe(to: f, slotF)
            combination.subscribe(to: g, slotG)
        }
    }

    /// Emits the result of `resultSelector` for the latest elements of eight streams; otherwise like
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType, G: ObservableConvertibleType, H: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, delayErrors: Bool = false,
        resultSelector:
            @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 8)
            let slotA = LatestSlot<A.Element>(state), slotB = LatestSlot<B.Element>(state)
            let slotC = LatestSlot<C.Element>(state), slotD = LatestSlot<D.Element>(state)
            let slotE = LatestSlot<E.Element>(state), slotF = LatestSlot<F.Element>(state)
            let slotG = LatestSlot<G.Element>(state), slotH = LatestSlot<H.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(
                    slotA.latest, slotB.latest, slotC.latest, slotD.latest, slotE.latest, slotF.latest, slotG.latest, slotH.latest)
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
            combination.subscribe(to: d, slotD)
            combination.subscribe(to: e, slotE)
            combination.subscribe(to: f, slotF)
            combination.subscribe(to: g, slotG)
            combination.subscribe(to: h, slotH)
        }
    }
}
