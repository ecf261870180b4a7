extension Observable {
    /// Sends what `resultSelector` makes of the elements of five streams; otherwise as ``zip(_:_:delayErrors:resultSelector:)``.
    public static func zip<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = ZipSlot<A.Element>(), slotB = ZipSlot<B.Element>()
            let slotC = ZipSlot<C.Element>(), slotD = ZipSlot<D.Element>()
            let slotE = ZipSlot<E.Element>()
            let zipper = Zipper(downstream, lifetime, [slotA, slotB, slotC, slotD, slotE], delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take(), slotD.take(), slotE.take())
            }
            zipper.start(a, slotA)
            zipper.start(b, slotB)
            zipper.start(c, slotC)
            zipper.start(d, slotD)
            zipper.start(e, slotE)
        }
    }

    /// Sends what `resultSelector` makes of the elements of six streams; otherwise as ``zip(_:_:delayErrors:resultSelector:)``.
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = ZipSlot<A.Element>(), slotB = ZipSlot<B.Element>()
            let slotC = ZipSlot<C.Element>(), slotD = ZipSlot<D.Element>()
            let slotE = ZipSlot<E.Element>(), slotF = ZipSlot<F.Element>()
            let zipper = Zipper(downstream, lifetime, [slotA, slotB, slotC, slotD, slotE, slotF], delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take(), slotD.take(), slotE.take(), slotF.take())
            }
            zipper.start(a, slotA)
            zipper.start(b, slotB)
            zipper.start(c, slotC)
            zipper.start(d, slotD)
            zipper.start(e, slotE)
            zipper.start(f, slotF)
        }
    }

    /// Sends what `resultSelector` makes of the elements of seven streams; otherwise as ``zip(_:_:delayErrors:resultSelector:)``.
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType, G: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = ZipSlot<A.Element>(), slotB = ZipSlot<B.Element>()
            let slotC = ZipSlot<C.Element>(), slotD = ZipSlot<D.Element>()
            let slotE = ZipSlot<E.Element>(), slotF = ZipSlot<F.Element>()
            let slotG = ZipSlot<G.Element>()
            let zipper = Zipper(downstream, lifetime, [slotA, slotB, slotC, slotD, slotE, slotF, slotG], delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take(), slotD.take(), slotE.take(), slotF.take(), slotG.take())
            }
            zipper.start(a, slotA)
            zipper.start(b, slotB)
            zipper.start(c, slotC)
            zipper.start(d, slotD)
            zipper.start(e, slotE)
            zipper.start(f, slotF)
            zipper.start(g, slotG)
        }
    }

    /// Sends what `resultSelector` makes of the elements of eight streams; otherwise as ``zip(_:_:delayErrors:resultSelector:)``.
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType, G: ObservableType,
        H: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, delayErrors: Bool = false,
        resultSelector:
            @escaping @Sendable (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = ZipSlot<A.Element>(), slotB = ZipSlot<B.Element>()
            let slotC = ZipSlot<C.Element>(), slotD = ZipSlot<D.Element>()
            let slotE = ZipSlot<E.Element>(), slotF = ZipSlot<F.Element>()
            let slotG = ZipSlot<G.Element>(), slotH = ZipSlot<H.Element>()
            let zipper = Zipper(downstream, lifetime, [slotA, slotB, slotC, slotD, slotE, slotF, slotG, slotH], delayErrors: delayErrors) {
                try resultSelector(
                    slotA.take(), slotB.take(), slotC.take(), slotD.take(), slotE.take(), slotF.take(), slotG.take(), slotH.take())
            }
            zipper.start(a, slotA)
            zipper.start(b, slotB)
            zipper.start(c, slotC)
            zipper.start(d, slotD)
            zipper.start(e, slotE)
            zipper.start(f, slotF)
            zipper.start(g, slotG)
            zipper.start(h, slotH)
        }
    }
}
