/// `zip` of streams that never fail: to eight with a closure, of any number as a tuple, and of a collection.
extension InfallibleSequence {
    /// Emits the result of `resultSelector` for the first elements of two streams, then for their second ones, like `zip` of streams.
    public static func zip<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>,
        resultSelector: @escaping @Sendable (A, B) -> Element
    ) -> Self {
        Self(infallible: .zip(a, b, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of three streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        resultSelector: @escaping @Sendable (A, B, C) -> Element
    ) -> Self {
        Self(infallible: .zip(a, b, c, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of four streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>,
        resultSelector: @escaping @Sendable (A, B, C, D) -> Element
    ) -> Self {
        Self(infallible: .zip(a, b, c, d, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of five streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>,
        resultSelector: @escaping @Sendable (A, B, C, D, E) -> Element
    ) -> Self {
        Self(infallible: .zip(a, b, c, d, e, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of six streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        resultSelector: @escaping @Sendable (A, B, C, D, E, F) -> Element
    ) -> Self {
        Self(infallible: .zip(a, b, c, d, e, f, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of seven streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F, G>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        _ g: InfallibleSequence<Kind, G>,
        resultSelector: @escaping @Sendable (A, B, C, D, E, F, G) -> Element
    ) -> Self {
        Self(infallible: .zip(a, b, c, d, e, f, g, resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the elements of eight streams; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F, G, H>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        _ g: InfallibleSequence<Kind, G>, _ h: InfallibleSequence<Kind, H>,
        resultSelector: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Element
    ) -> Self {
        Self(infallible: .zip(a, b, c, d, e, f, g, h, resultSelector: resultSelector))
    }

    /// Emits one element of each stream as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A: Sendable, B: Sendable, each Source: Sendable>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ sources: repeat InfallibleSequence<Kind, each Source>
    ) -> Self where Element == (A, B, repeat each Source) {
        Self(infallible: .zipping(a.asObservable(), b.asObservable(), repeat (each sources).asObservable()))
    }

    /// Emits the result of `resultSelector` for one element of each of `sources`, in their order; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<Source>(
        _ sources: some Collection<InfallibleSequence<Kind, Source>>, resultSelector: @escaping @Sendable ([Source]) -> Element
    ) -> Self {
        Self(infallible: .zip(Array(sources), resultSelector: resultSelector))
    }

    /// Emits arrays of one element of each of `sources`, in their order; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<Source>(_ sources: some Collection<InfallibleSequence<Kind, Source>>) -> Self
    where Element == [Source] {
        Self(infallible: .zip(Array(sources)))
    }
}
