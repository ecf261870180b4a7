extension Observable {
    /// Sends what `resultSelector` makes of the latest elements of five streams; otherwise as
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = LatestSlot<A.Element>(), slotB = LatestSlot<B.Element>()
            let slotC = LatestSlot<C.Element>(), slotD = LatestSlot<D.Element>()
            let slotE = LatestSlot<E.Element>()
            let combiner = LatestCombiner(downstream, lifetime, count: 5, delayErrors: delayErrors) {
                try resultSelector(slotA.latest, slotB.latest, slotC.latest, slotD.latest, slotE.latest)
            }
            combiner.start(a, slotA)
            combiner.start(b, slotB)
            combiner.start(c, slotC)
            combiner.start(d, slotD)
            combiner.start(e, slotE)
        }
    }

    /// Sends what `resultSelector` makes of the latest elements of six streams; otherwise as
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = LatestSlot<A.Element>(), slotB = LatestSlot<B.Element>()
            let slotC = LatestSlot<C.Element>(), slotD = LatestSlot<D.Element>()
            let slotE = LatestSlot<E.Element>(), slotF = LatestSlot<F.Element>()
            let combiner = LatestCombiner(downstream, lifetime, count: 6, delayErrors: delayErrors) {
                try resultSelector(slotA.latest, slotB.latest, slotC.latest, slotD.latest, slotE.latest, slotF.latest)
            }
            combiner.start(a, slotA)
            combiner.start(b, slotB)
            combiner.start(c, slotC)
            combiner.start(d, slotD)
            combiner.start(e, slotE)
            combiner.start(f, slotF)
        }
    }

    /// Sends what `resultSelector` makes of the latest elements of seven streams; otherwise as
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType, G: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = LatestSlot<A.Element>(), slotB = LatestSlot<B.Element>()
            let slotC = LatestSlot<C.Element>(), slotD = LatestSlot<D.Element>()
            let slotE = LatestSlot<E.Element>(), slotF = LatestSlot<F.Element>()
            let slotG = LatestSlot<G.Element>()
            let combiner = LatestCombiner(downstream, lifetime, count: 7, delayErrors: delayErrors) {
                try resultSelector(slotA.latest, slotB.latest, slotC.latest, slotD.latest, slotE.latest, slotF.latest, slotG.latest)
            }
            combiner.start(a, slotA)
            combiner.start(b, slotB)
            combiner.start(c, slotC)
            combiner.start(d, slotD)
            combiner.start(e, slotE)
            combiner.start(f, slotF)
            combiner.start(g, slotG)
        }
    }

    /// Sends what `resultSelector` makes of the latest elements of eight streams; otherwise as
    /// ``combineLatest(_:_:delayErrors:resultSelector:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType, G: ObservableType,
        H: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, delayErrors: Bool = false,
        resultSelector:
            @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = LatestSlot<A.Element>(), slotB = LatestSlot<B.Element>()
            let slotC = LatestSlot<C.Element>(), slotD = LatestSlot<D.Element>()
            let slotE = LatestSlot<E.Element>(), slotF = LatestSlot<F.Element>()
            let slotG = LatestSlot<G.Element>(), slotH = LatestSlot<H.Element>()
            let combiner = LatestCombiner(downstream, lifetime, count: 8, delayErrors: delayErrors) {
                try resultSelector(
                    slotA.latest, slotB.latest, slotC.latest, slotD.latest, slotE.latest, slotF.latest, slotG.latest, slotH.latest)
            }
            combiner.start(a, slotA)
            combiner.start(b, slotB)
            combiner.start(c, slotC)
            combiner.start(d, slotD)
            combiner.start(e, slotE)
            combiner.start(f, slotF)
            combiner.start(g, slotG)
            combiner.start(h, slotH)
        }
    }
}
