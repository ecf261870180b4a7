import Schedulers

/// What singles and maybes have in common.
extension PrimitiveSequence where Kind: ElementKind {
    /// Emits `element` and completes.
    public static func just(_ element: Element) -> Self {
        Self(primitive: .just(element))
    }

    /// Emits `element` on `scheduler` and completes.
    public static func just(_ element: Element, scheduler: any Scheduler) -> Self {
        Self(primitive: .just(element, scheduler: scheduler))
    }

    /// Emits the element transformed; fails if `transform` throws.
    public func map<Result>(_ transform: @escaping @Sendable (Element) throws -> Result) -> PrimitiveSequence<Kind, Result> {
        PrimitiveSequence<Kind, Result>(primitive: source.map(transform))
    }

    /// Continues with the stream of the same kind that the element is mapped to; fails if `selector` throws.
    public func flatMap<Result>(
        _ selector: @escaping @Sendable (Element) throws -> PrimitiveSequence<Kind, Result>
    ) -> PrimitiveSequence<Kind, Result> {
        PrimitiveSequence<Kind, Result>(primitive: source.flatMap(selector))
    }

    /// Continues with the completable that the element is mapped to; fails if `selector` throws.
    public func flatMapCompletable(_ selector: @escaping @Sendable (Element) throws -> Completable) -> Completable {
        Completable(primitive: source.flatMap(selector))
    }

    /// Emits the element if it satisfies `predicate`; fails if it throws.
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(primitive: source.filter(predicate))
    }

    /// Emits the result of `transform` unless it is `nil`; fails if it throws.
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) throws -> Result?) -> Maybe<Result> {
        Maybe<Result>(primitive: source.compactMap(transform))
    }

    /// Emits `element` instead of an error.
    public func catchAndReturn(_ element: Element) -> Self {
        Self(primitive: source.catchAndReturn(element))
    }

    /// Emits the element of this stream and then that of `second`; fails at the first error.
    public func concat(_ second: Self) -> Observable<Element> {
        source.concat(second.source)
    }

    /// Subscribes to one after the other and emits their elements; fails at the first error.
    public static func concat(_ sources: Self...) -> Observable<Element> {
        concat(sources)
    }

    /// Subscribes to one after the other and emits their elements; fails at the first error.
    public static func concat(_ sources: some Sequence<Self>) -> Observable<Element> {
        .concat(sources.map(\.source))
    }
}

extension PrimitiveSequence where Kind: ElementKind, Element: FixedWidthInteger {
    /// Emits 0 on `scheduler` after `dueTime`. The timer is cancelled with the subscription.
    public static func timer(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(primitive: .timer(dueTime, scheduler: scheduler))
    }
}
