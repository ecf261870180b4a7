extension Observable {
    /// Emits the result of `resultSelector` for the elements of five streams; otherwise like ``zip(_:_:delayErrors:resultSelector:)``.
    ///
    /// ```swift
    /// Observable.zip(a, b, c, d, e) { $0 + $1 + $2 + $3 + $4 }
    /// // a -0----1-----|
    /// // b --0----0----|
    /// // c ---1----1---|
    /// // d ----0----0--|
    /// // e -----2----3-|
    /// //   -----3----5-|
    /// ```
    ///
    /// Source: [ReactiveX, Zip](https://reactivex.io/documentation/operators/zip.html).
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 5)
            let slotA = ZipSlot<A.Element>(state), slotB = ZipSlot<B.Element>(state)
            let slotC = ZipSlot<C.Element>(state), slotD = ZipSlot<D.Element>(state)
            let slotE = ZipSlot<E.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take(), slotD.take(), slotE.take())
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
            combination.subscribe(to: d, slotD)
            combination.subscribe(to: e, slotE)
        }
    }

    /// Emits the result of `resultSelector` for the elements of six streams; otherwise like ``zip(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 6)
            let slotA = ZipSlot<A.Element>(state), slotB = ZipSlot<B.Element>(state)
            let slotC = ZipSlot<C.Element>(state), slotD = ZipSlot<D.Element>(state)
            let slotE = ZipSlot<E.Element>(state), slotF = ZipSlot<F.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take(), slotD.take(), slotE.take(), slotF.take())
            }
            combination.subscribe(to: a, slotA)
            combination.subscribe(to: b, slotB)
            combination.subscribe(to: c, slotC)
            combination.subscribe(to: d, slotD)
            combination.subscribe(to: e, slotE)
            combination.subscribe(to: f, slotF)
        }
    }

    /// Emits the result of `resultSelector` for the elements of seven streams; otherwise like ``zip(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType, G: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 7)
            let slotA = ZipSlot<A.Element>(state), slotB = ZipSlot<B.Element>(state)
            let slotC = ZipSlot<C.Element>(state), slotD = ZipSlot<D.Element>(state)
            let slotE = ZipSlot<E.Element>(state), slotF = ZipSlot<F.Element>(state)
            let slotG = ZipSlot<G.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take(), slotD.take(), slotE.take(), slotF.take(), slotG.take())
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

    /// Emits the result of `resultSelector` for the elements of eight streams; otherwise like ``zip(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType, G: ObservableConvertibleType, H: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, delayErrors: Bool = false,
        resultSelector:
            @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let state = SlotState(count: 8)
            let slotA = ZipSlot<A.Element>(state), slotB = ZipSlot<B.Element>(state)
            let slotC = ZipSlot<C.Element>(state), slotD = ZipSlot<D.Element>(state)
            let slotE = ZipSlot<E.Element>(state), slotF = ZipSlot<F.Element>(state)
            let slotG = ZipSlot<G.Element>(state), slotH = ZipSlot<H.Element>(state)
            let combination = Combination(downstream, lifetime, state, delayErrors: delayErrors) {
                try resultSelector(
                    slotA.take(), slotB.take(), slotC.take(), slotD.take(), slotE.take(), slotF.take(), slotG.take(), slotH.take())
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
