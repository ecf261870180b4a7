/// `zip` of streams that never fail: to eight with a closure or as a tuple, and of a collection.
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

    /// Emits one element of each of two streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>
    ) -> Self where Element == (A, B) {
        Self(infallible: .zip(a, b))
    }

    /// Emits one element of each of three streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>
    ) -> Self where Element == (A, B, C) {
        Self(infallible: .zip(a, b, c))
    }

    /// Emits one element of each of four streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>
    ) -> Self where Element == (A, B, C, D) {
        Self(infallible: .zip(a, b, c, d))
    }

    /// Emits one element of each of five streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>
    ) -> Self where Element == (A, B, C, D, E) {
        Self(infallible: .zip(a, b, c, d, e))
    }

    /// Emits one element of each of six streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>
    ) -> Self where Element == (A, B, C, D, E, F) {
        Self(infallible: .zip(a, b, c, d, e, f))
    }

    /// Emits one element of each of seven streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F, G>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        _ g: InfallibleSequence<Kind, G>
    ) -> Self where Element == (A, B, C, D, E, F, G) {
        Self(infallible: .zip(a, b, c, d, e, f, g))
    }

    /// Emits one element of each of eight streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    public static func zip<A, B, C, D, E, F, G, H>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        _ d: InfallibleSequence<Kind, D>, _ e: InfallibleSequence<Kind, E>, _ f: InfallibleSequence<Kind, F>,
        _ g: InfallibleSequence<Kind, G>, _ h: InfallibleSequence<Kind, H>
    ) -> Self where Element == (A, B, C, D, E, F, G, H) {
        Self(infallible: .zip(a, b, c, d, e, f, g, h))
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
