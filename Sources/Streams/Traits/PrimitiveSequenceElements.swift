import Schedulers

/// The operators that singles and maybes share.
extension PrimitiveSequence where Kind: TraitKind.WithElement {
    /// Emits `element` and completes.
    @inlinable
    public static func just(_ element: Element) -> Self {
        Self(primitive: .just(element))
    }

    /// Emits `element` on `scheduler` and completes.
    @inlinable
    public static func just(_ element: Element, scheduler: any Scheduler) -> Self {
        Self(primitive: .just(element, scheduler: scheduler))
    }

    /// Emits the element transformed; fails if `transform` throws.
    @inlinable
    public func map<Result>(_ transform: @escaping @Sendable (Element) throws -> Result) -> PrimitiveSequence<Kind, Result> {
        PrimitiveSequence<Kind, Result>(primitive: source.map(transform))
    }

    /// Emits `value` instead of the element.
    @inlinable
    public func mapTo<Result: Sendable>(_ value: Result) -> PrimitiveSequence<Kind, Result> {
        map { _ in value }
    }

    /// Continues with the stream of the same kind that the element is mapped to; fails if `selector` throws.
    @inlinable
    public func flatMap<Result>(
        _ selector: @escaping @Sendable (Element) throws -> PrimitiveSequence<Kind, Result>
    ) -> PrimitiveSequence<Kind, Result> {
        PrimitiveSequence<Kind, Result>(primitive: source.flatMap(selector))
    }

    /// Continues with the completable that the element is mapped to; fails if `selector` throws.
    @inlinable
    public func flatMapCompletable(_ selector: @escaping @Sendable (Element) throws -> Completable) -> Completable {
        Completable(primitive: source.flatMap(selector))
    }

    /// Emits the element if it satisfies `predicate`; fails if `predicate` throws.
    @inlinable
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(primitive: source.filter(predicate))
    }

    /// Emits the result of `transform` unless it is `nil`; fails if `transform` throws.
    @inlinable
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) throws -> Result?) -> Maybe<Result> {
        Maybe<Result>(primitive: source.compactMap(transform))
    }

    /// Emits `element` instead of an error.
    @inlinable
    public func catchAndReturn(_ element: Element) -> Self {
        Self(primitive: source.catchAndReturn(element))
    }

    /// Emits the element of this stream and then the element of `second`; fails at the first error.
    @inlinable
    public func concat(_ second: Self) -> Observable<Element> {
        source.concat(second.source)
    }

    /// Subscribes to the streams one after the other and emits their elements; fails at the first error.
    @inlinable
    public static func concat(_ sources: Self...) -> Observable<Element> {
        concat(sources)
    }

    /// Subscribes to the streams one after the other and emits their elements; fails at the first error.
    @inlinable
    public static func concat(_ sources: some Sequence<Self>) -> Observable<Element> {
        .concat(sources.map(\.source))
    }
}

extension PrimitiveSequence where Kind: TraitKind.WithElement, Element: FixedWidthInteger {
    /// Emits 0 on `scheduler` after `dueTime`. The timer is cancelled with the subscription.
    @inlinable
    public static func timer(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(primitive: .timer(dueTime, scheduler: scheduler))
    }
}

// `zip`; its forms of three to eight streams are made from those of two, by .ci/arities.
extension PrimitiveSequence where Kind: TraitKind.WithElement {
    /// Emits the result of `resultSelector` for the elements of two streams, subscribed to at once; fails at the first error, or if the
    /// closure throws. A maybe completes without an element as soon as one of them does. The others are disposed then.
    @inlinable
    public static func zip<A, B>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>,
        resultSelector: @escaping @Sendable (A, B) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(a, b, resultSelector: resultSelector))
    }

    /// Emits the elements of two streams as a tuple; otherwise like ``zip(_:_:resultSelector:)``.
    @inlinable
    public static func zip<A, B>(
        _ a: PrimitiveSequence<Kind, A>, _ b: PrimitiveSequence<Kind, B>
    ) -> Self where Element == (A, B) {
        Self(primitive: .combineLatest(a, b))
    }

    /// Emits the result of `resultSelector` for the elements of all `sources`; otherwise like ``zip(_:_:resultSelector:)``.
    ///
    /// Without sources it emits the result for no elements.
    @inlinable
    public static func zip<Source>(
        _ sources: some Collection<PrimitiveSequence<Kind, Source>>, resultSelector: @escaping @Sendable ([Source]) throws -> Element
    ) -> Self {
        Self(primitive: .combineLatest(Array(sources), resultSelector: resultSelector))
    }

    /// Emits the elements of all `sources` as an array, in their order; otherwise like ``zip(_:_:resultSelector:)``.
    @inlinable
    public static func zip<Source>(_ sources: some Collection<PrimitiveSequence<Kind, Source>>) -> Self where Element == [Source] {
        Self(primitive: .combineLatest(Array(sources)))
    }
}
