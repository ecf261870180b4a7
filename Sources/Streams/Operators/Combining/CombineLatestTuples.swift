extension Observable {
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

    /// Emits the latest elements of three streams as a tuple, as ``combineLatest(_:_:delayErrors:)``.
    @inlinable
    public static func combineLatest<A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType>(
        _ a: A, _ b: B, _ c: C, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element) {
        combineLatest(a, b, c, delayErrors: delayErrors) { ($0, $1, $2) }
    }

    /// Emits the latest elements of four streams as a tuple, as ``combineLatest(_:_:delayErrors:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element) {
        combineLatest(a, b, c, d, delayErrors: delayErrors) { ($0, $1, $2, $3) }
    }

    /// Emits the latest elements of five streams as a tuple, as ``combineLatest(_:_:delayErrors:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element, E.Element) {
        combineLatest(a, b, c, d, e, delayErrors: delayErrors) { ($0, $1, $2, $3, $4) }
    }

    /// Emits the latest elements of six streams as a tuple, as ``combineLatest(_:_:delayErrors:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) {
        combineLatest(a, b, c, d, e, f, delayErrors: delayErrors) { ($0, $1, $2, $3, $4, $5) }
    }

    /// Emits the latest elements of seven streams as a tuple, as ``combineLatest(_:_:delayErrors:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType, G: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) {
        combineLatest(a, b, c, d, e, f, g, delayErrors: delayErrors) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// Emits the latest elements of eight streams as a tuple, as ``combineLatest(_:_:delayErrors:)``.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType, G: ObservableConvertibleType, H: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) {
        combineLatest(a, b, c, d, e, f, g, h, delayErrors: delayErrors) { ($0, $1, $2, $3, $4, $5, $6, $7) }
    }

    /// Emits arrays of the latest elements of all `sources`, as ``combineLatest(_:_:delayErrors:)``.
    @inlinable
    public static func combineLatest<Source: ObservableConvertibleType>(
        _ sources: [Source], delayErrors: Bool = false
    ) -> Observable<Element> where Element == [Source.Element] {
        combineLatest(sources, delayErrors: delayErrors) { $0 }
    }
}
