/// `zip` of singles and of maybes: to eight with a closure or as a tuple, and of a collection.
extension PrimitiveSequence where Kind: ElementKind {
    /// Emits the result of `resultSelector` for the elements of two streams, subscribed to at once; fails at the first error, or if the closure
    /// throws. A maybe completes without an element as soon as one of them does. The others are disposed then.
    public static func zip<A, B>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>,
        resultSelector: @escaping @Sendable (A, B) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(a, b, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of three streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>,
        resultSelector: @escaping @Sendable (A, B, C) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(a, b, c, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of four streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>,
        resultSelector: @escaping @Sendable (A, B, C, D) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(a, b, c, d, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of five streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>,
        _ e: PrimitiveSequence<Kind, E>,
        resultSelector: @escaping @Sendable (A, B, C, D, E) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(a, b, c, d, e, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of six streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>,
        _ e: PrimitiveSequence<Kind, E>, _ f: PrimitiveSequence<Kind, F>,
        resultSelector: @escaping @Sendable (A, B, C, D, E, F) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(a, b, c, d, e, f, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of seven streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F, G>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>,
        _ e: PrimitiveSequence<Kind, E>, _ f: PrimitiveSequence<Kind, F>, _ g: PrimitiveSequence<Kind, G>,
        resultSelector: @escaping @Sendable (A, B, C, D, E, F, G) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(a, b, c, d, e, f, g, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of eight streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F, G, H>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>,
        _ e: PrimitiveSequence<Kind, E>, _ f: PrimitiveSequence<Kind, F>, _ g: PrimitiveSequence<Kind, G>, _ h: PrimitiveSequence<Kind, H>,
        resultSelector: @escaping @Sendable (A, B, C, D, E, F, G, H) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(a, b, c, d, e, f, g, h, resultSelector: resultSelector))
    }

    /// Emits the elements of two streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>
    ) -> Self where Element == (A, B) {
        Self(primitive: .combineLatest(a, b))
    }

    /// Emits the elements of three streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>
    ) -> Self where Element == (A, B, C) {
        Self(primitive: .combineLatest(a, b, c))
    }

    /// Emits the elements of four streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>
    ) -> Self where Element == (A, B, C, D) {
        Self(primitive: .combineLatest(a, b, c, d))
    }

    /// Emits the elements of five streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>,
        _ e: PrimitiveSequence<Kind, E>
    ) -> Self where Element == (A, B, C, D, E) {
        Self(primitive: .combineLatest(a, b, c, d, e))
    }

    /// Emits the elements of six streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>,
        _ e: PrimitiveSequence<Kind, E>, _ f: PrimitiveSequence<Kind, F>
    ) -> Self where Element == (A, B, C, D, E, F) {
        Self(primitive: .combineLatest(a, b, c, d, e, f))
    }

    /// Emits the elements of seven streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F, G>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>,
        _ e: PrimitiveSequence<Kind, E>, _ f: PrimitiveSequence<Kind, F>, _ g: PrimitiveSequence<Kind, G>
    ) -> Self where Element == (A, B, C, D, E, F, G) {
        Self(primitive: .combineLatest(a, b, c, d, e, f, g))
    }

    /// Emits the elements of eight streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F, G, H>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>, _ c: PrimitiveSequence<Kind, C>, _ d: PrimitiveSequence<Kind, D>,
        _ e: PrimitiveSequence<Kind, E>, _ f: PrimitiveSequence<Kind, F>, _ g: PrimitiveSequence<Kind, G>, _ h: PrimitiveSequence<Kind, H>
    ) -> Self where Element == (A, B, C, D, E, F, G, H) {
        Self(primitive: .combineLatest(a, b, c, d, e, f, g, h))
    }

    /// Emits the result of `resultSelector` for the elements of all `sources`; otherwise like ``zip(_:_:resultSelector:)``.
    ///
    /// Without sources it emits the result for no elements.
    public static func zip<Source>(
        _ sources: some Collection<PrimitiveSequence<Kind, Source>>, resultSelector: @escaping @Sendable ([Source]) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(Array(sources), resultSelector: resultSelector))
    }

    /// Emits the elements of all `sources` as an array, in their order; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<Source>(_ sources: some Collection<PrimitiveSequence<Kind, Source>>) -> Self where Element == [Source] {
        Self(primitive: .combineLatest(Array(sources)))
    }
}
