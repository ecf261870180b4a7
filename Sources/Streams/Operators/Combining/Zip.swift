extension Observable {
    /// Sends what `resultSelector` makes of the first elements of two streams, then of their second elements, and so on.
    ///
    /// ```swift
    /// Observable.zip(numbers, others) { $0 * $1 }
    /// // numbers --1--2--------3--|
    /// // others  -------4--5-|
    /// //         -------4--x-|   x = 10
    /// ```
    ///
    /// Elements wait for their partners without bound; each costs as much time as there are streams. Completes as soon as a completed
    /// stream has no element that waits, and lets the others go. An error or a throw ends it at once; with `delayErrors` an error counts as
    /// the end of its stream and is sent at the end. Source: [ReactiveX, Zip](https://reactivex.io/documentation/operators/zip.html).
    public static func zip<A: ObservableType, B: ObservableType>(
        _ a: A, _ b: B, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = ZipSlot<A.Element>(), slotB = ZipSlot<B.Element>()
            let zipper = Zipper(downstream, lifetime, [slotA, slotB], delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take())
            }
            zipper.start(a, slotA)
            zipper.start(b, slotB)
        }
    }

    /// Sends what `resultSelector` makes of the elements of three streams; otherwise as ``zip(_:_:delayErrors:resultSelector:)``.
    public static func zip<A: ObservableType, B: ObservableType, C: ObservableType>(
        _ a: A, _ b: B, _ c: C, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = ZipSlot<A.Element>(), slotB = ZipSlot<B.Element>()
            let slotC = ZipSlot<C.Element>()
            let zipper = Zipper(downstream, lifetime, [slotA, slotB, slotC], delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take())
            }
            zipper.start(a, slotA)
            zipper.start(b, slotB)
            zipper.start(c, slotC)
        }
    }

    /// Sends what `resultSelector` makes of the elements of four streams; otherwise as ``zip(_:_:delayErrors:resultSelector:)``.
    public static func zip<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, delayErrors: Bool = false,
        resultSelector: @escaping @Sendable (A.Element, B.Element, C.Element, D.Element) throws -> Element
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let slotA = ZipSlot<A.Element>(), slotB = ZipSlot<B.Element>()
            let slotC = ZipSlot<C.Element>(), slotD = ZipSlot<D.Element>()
            let zipper = Zipper(downstream, lifetime, [slotA, slotB, slotC, slotD], delayErrors: delayErrors) {
                try resultSelector(slotA.take(), slotB.take(), slotC.take(), slotD.take())
            }
            zipper.start(a, slotA)
            zipper.start(b, slotB)
            zipper.start(c, slotC)
            zipper.start(d, slotD)
        }
    }

    /// Sends what `resultSelector` makes of the elements of all `sources`; otherwise as ``zip(_:_:delayErrors:resultSelector:)``.
    public static func zip<Source: ObservableType>(
        _ sources: [Source], delayErrors: Bool = false, resultSelector: @escaping @Sendable ([Source.Element]) throws -> Element
    ) -> Observable<Element> {
        guard !sources.isEmpty else { return .empty() }
        return Observable { downstream, lifetime in
            let slots = sources.map { _ in ZipSlot<Source.Element>() }
            let zipper = Zipper(downstream, lifetime, slots, delayErrors: delayErrors) {
                try resultSelector(slots.map { $0.take() })
            }
            for (source, slot) in Swift.zip(sources, slots) {
                zipper.start(source, slot)
            }
        }
    }
}
