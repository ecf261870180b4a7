// The forms of three to eight streams are made from those of two, by .ci/arities.

/// `combineLatest` and `zip` of streams that never fail.
extension InfallibleSequence {
    /// Emits the result of `resultSelector` for the latest elements of two streams, whenever one of them emits and all have.
    @inlinable
    public static func combineLatest<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, resultSelector: @escaping @Sendable (A, B) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a, b, resultSelector: resultSelector))
    }

    /// Emits the latest elements of two streams as a tuple; otherwise like ``combineLatest(_:_:resultSelector:)``.
    @inlinable
    public static func combineLatest<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>
    ) -> Self where Element == (A, B) {
        Self(infallible: .combineLatest(a, b))
    }

    /// Emits the result of `resultSelector` for the latest elements of all `sources`, in their order; otherwise like
    /// ``combineLatest(_:_:resultSelector:)``.
    @inlinable
    public static func combineLatest<Source>(
        _ sources: some Collection<InfallibleSequence<Kind, Source>>, resultSelector: @escaping @Sendable ([Source]) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(Array(sources), resultSelector: resultSelector))
    }

    /// Emits arrays of the latest elements of all `sources`, in their order; otherwise like ``combineLatest(_:_:resultSelector:)``.
    @inlinable
    public static func combineLatest<Source>(_ sources: some Collection<InfallibleSequence<Kind, Source>>) -> Self
    where Element == [Source] {
        Self(infallible: .combineLatest(Array(sources)))
    }

    /// Emits the result of `resultSelector` for the first elements of two streams, then for their second ones, like `zip` of streams.
    @inlinable
    public static func zip<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, resultSelector: @escaping @Sendable (A, B) -> Element
    ) -> Self {
        Self(infallible: .zip(a, b, resultSelector: resultSelector))
    }

    /// Emits one element of each of two streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    @inlinable
    public static func zip<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>
    ) -> Self where Element == (A, B) {
        Self(infallible: .zip(a, b))
    }

    /// Emits the result of `resultSelector` for one element of each of `sources`, in their order; otherwise like
    /// ``zip(_:_:resultSelector:)``.
    @inlinable
    public static func zip<Source>(
        _ sources: some Collection<InfallibleSequence<Kind, Source>>, resultSelector: @escaping @Sendable ([Source]) -> Element
    ) -> Self {
        Self(infallible: .zip(Array(sources), resultSelector: resultSelector))
    }

    /// Emits arrays of one element of each of `sources`, in their order; otherwise like ``zip(_:_:resultSelector:)``.
    @inlinable
    public static func zip<Source>(_ sources: some Collection<InfallibleSequence<Kind, Source>>) -> Self where Element == [Source] {
        Self(infallible: .zip(Array(sources)))
    }
}
