extension Observable {
    /// Emits the first elements of two streams as a tuple, then their second elements, and so on.
    ///
    /// ```swift
    /// Observable.zip(letters, numbers).map { letter, number in "\(letter)\(number)" }
    /// // letters --a-----b--------c--|
    /// // numbers -----1-----2-----|
    /// //         -----x-----y-----|   x = a1, y = b2
    /// ```
    ///
    /// Terminates like ``zip(_:_:delayErrors:resultSelector:)``: unmatched elements are buffered without bound.
    /// Source: [ReactiveX, Zip](https://reactivex.io/documentation/operators/zip.html).
    @inlinable
    public static func zip<A: ObservableConvertibleType, B: ObservableConvertibleType>(
        _ a: A, _ b: B, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element) {
        zip(a, b, delayErrors: delayErrors) { ($0, $1) }
    }

    /// Emits the elements of three streams as tuples, as ``zip(_:_:delayErrors:)``.
    @inlinable
    public static func zip<A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType>(
        _ a: A, _ b: B, _ c: C, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element) {
        zip(a, b, c, delayErrors: delayErrors) { ($0, $1, $2) }
    }

    /// Emits the elements of four streams as tuples, as ``zip(_:_:delayErrors:)``.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element) {
        zip(a, b, c, d, delayErrors: delayErrors) { ($0, $1, $2, $3) }
    }

    /// Emits the elements of five streams as tuples, as ``zip(_:_:delayErrors:)``.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element, E.Element) {
        zip(a, b, c, d, e, delayErrors: delayErrors) { ($0, $1, $2, $3, $4) }
    }

    /// Emits the elements of six streams as tuples, as ``zip(_:_:delayErrors:)``.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) {
        zip(a, b, c, d, e, f, delayErrors: delayErrors) { ($0, $1, $2, $3, $4, $5) }
    }

    /// Emits the elements of seven streams as tuples, as ``zip(_:_:delayErrors:)``.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType, G: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) {
        zip(a, b, c, d, e, f, g, delayErrors: delayErrors) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// Emits the elements of eight streams as tuples, as ``zip(_:_:delayErrors:)``.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType, D: ObservableConvertibleType,
        E: ObservableConvertibleType, F: ObservableConvertibleType, G: ObservableConvertibleType, H: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, delayErrors: Bool = false
    ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) {
        zip(a, b, c, d, e, f, g, h, delayErrors: delayErrors) { ($0, $1, $2, $3, $4, $5, $6, $7) }
    }

    /// Emits arrays of one element of each of `sources`, as ``zip(_:_:delayErrors:)``.
    @inlinable
    public static func zip<Source: ObservableConvertibleType>(_ sources: [Source], delayErrors: Bool = false) -> Observable<Element>
    where Element == [Source.Element] {
        zip(sources, delayErrors: delayErrors) { $0 }
    }
}
