/// `combineLatest` of streams that never fail: to eight with a closure or as a tuple, and of a collection.
extension InfallibleSequence {
    /// Emits the result of `resultSelector` for the latest elements of two streams, whenever one of them emits and all have.
    public static func combineLatest<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>,
        resultSelector: @escaping @Sendable (A, B) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a, b, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the latest elements of three streams.
    public static func combineLatest<A, B, C>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        resultSelector: @escaping @Sendable (A, B, C) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a, b, c, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the latest elements of four streams.
    public static func combineLatest<A, B, C, D>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>,
        resultSelector: @escaping @Sendable (A, B, C, D) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a, b, c, d, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the latest elements of five streams.
    public static func combineLatest<A, B, C, D, E>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>,
        resultSelector: @escaping @Sendable (A, B, C, D, E) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a, b, c, d, e, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the latest elements of six streams.
    public static func combineLatest<A, B, C, D, E, F>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        resultSelector: @escaping @Sendable (A, B, C, D, E, F) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a, b, c, d, e, f, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the latest elements of seven streams.
    public static func combineLatest<A, B, C, D, E, F, G>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        _ g: InfallibleSequence<Kind, G>,
        resultSelector: @escaping @Sendable (A, B, C, D, E, F, G) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a, b, c, d, e, f, g, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the latest elements of eight streams.
    public static func combineLatest<A, B, C, D, E, F, G, H>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        _ g: InfallibleSequence<Kind, G>, _ h: InfallibleSequence<Kind, H>,
        resultSelector: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a, b, c, d, e, f, g, h, resultSelector: resultSelector))
    }

    /// Emits the latest elements of two streams as a tuple; otherwise like ``combineLatest(_:_:resultSelector:)``.
    public static func combineLatest<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>
    ) -> Self where Element == (A, B) {
        Self(infallible: .combineLatest(a, b))
    }

    /// Emits the latest elements of three streams as a tuple; otherwise like ``combineLatest(_:_:resultSelector:)``.
    public static func combineLatest<A, B, C>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>
    ) -> Self where Element == (A, B, C) {
        Self(infallible: .combineLatest(a, b, c))
    }

    /// Emits the latest elements of four streams as a tuple; otherwise like ``combineLatest(_:_:resultSelector:)``.
    public static func combineLatest<A, B, C, D>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>
    ) -> Self where Element == (A, B, C, D) {
        Self(infallible: .combineLatest(a, b, c, d))
    }

    /// Emits the latest elements of five streams as a tuple; otherwise like ``combineLatest(_:_:resultSelector:)``.
    public static func combineLatest<A, B, C, D, E>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>
    ) -> Self where Element == (A, B, C, D, E) {
        Self(infallible: .combineLatest(a, b, c, d, e))
    }

    /// Emits the latest elements of six streams as a tuple; otherwise like ``combineLatest(_:_:resultSelector:)``.
    public static func combineLatest<A, B, C, D, E, F>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>
    ) -> Self where Element == (A, B, C, D, E, F) {
        Self(infallible: .combineLatest(a, b, c, d, e, f))
    }

    /// Emits the latest elements of seven streams as a tuple; otherwise like ``combineLatest(_:_:resultSelector:)``.
    public static func combineLatest<A, B, C, D, E, F, G>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        _ g: InfallibleSequence<Kind, G>
    ) -> Self where Element == (A, B, C, D, E, F, G) {
        Self(infallible: .combineLatest(a, b, c, d, e, f, g))
    }

    /// Emits the latest elements of eight streams as a tuple; otherwise like ``combineLatest(_:_:resultSelector:)``.
    public static func combineLatest<A, B, C, D, E, F, G, H>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        _ g: InfallibleSequence<Kind, G>, _ h: InfallibleSequence<Kind, H>
    ) -> Self where Element == (A, B, C, D, E, F, G, H) {
        Self(infallible: .combineLatest(a, b, c, d, e, f, g, h))
    }

    /// Emits the result of `resultSelector` for the latest elements of all `sources`, in their order; otherwise like ``combineLatest(_:_:resultSelector:)``.
    public static func combineLatest<Source>(
        _ sources: some Collection<InfallibleSequence<Kind, Source>>, resultSelector: @escaping @Sendable ([Source]) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(Array(sources), resultSelector: resultSelector))
    }

    /// Emits arrays of the latest elements of all `sources`, in their order; otherwise like ``combineLatest(_:_:resultSelector:)``.
    public static func combineLatest<Source>(_ sources: some Collection<InfallibleSequence<Kind, Source>>) -> Self
    where Element == [Source] {
        Self(infallible: .combineLatest(Array(sources)))
    }
}
