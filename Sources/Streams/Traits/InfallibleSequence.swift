import Schedulers

/// A stream that never fails: `Driver`, `Signal` and `Infallible` are its three kinds.
///
/// What the kinds have in common is written once, here. Its closures do not throw, so an error cannot come back in. Every operator of
/// plain streams is behind `asObservable()`, and an `as...(onError...)` leads back.
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public struct InfallibleSequence<Kind: InfallibleSequenceKind, Element: Sendable>: ObservableConvertibleType {
    private let source: Observable<Element>

    /// Makes one of a stream that cannot fail; `source` is shared as the kind says.
    init(unfailing source: Observable<Element>) {
        self.source = Kind.share(source)
    }

    /// This as a plain stream, which is heard where the kind says: on the main loop for drivers and signals.
    public func asObservable() -> Observable<Element> {
        Kind.deliver(source)
    }
}

/// How the streams of a kind are shared, and where they are heard.
public protocol InfallibleSequenceKind: Sendable {
    /// What all subscribers have in common.
    static func share<Element>(_ source: Observable<Element>) -> Observable<Element>

    /// What each subscriber gets.
    static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element>
}

/// A kind whose streams are heard on the main loop.
public protocol MainLoopKind: InfallibleSequenceKind {}

extension MainLoopKind {
    public static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element> {
        shared.observe(on: MainScheduler.instance)
    }
}

extension InfallibleSequence {
    /// Sends `element` and completes.
    public static func just(_ element: Element) -> Self {
        Self(unfailing: .just(element))
    }

    /// Sends the given elements and completes.
    public static func of(_ elements: Element...) -> Self {
        Self(unfailing: .from(elements))
    }

    /// Completes at once.
    public static func empty() -> Self {
        Self(unfailing: .empty())
    }

    /// Sends nothing, ever.
    public static func never() -> Self {
        Self(unfailing: .never())
    }

    /// Makes the stream when somebody subscribes.
    public static func deferred(_ factory: @escaping @Sendable () -> Self) -> Self {
        Self(unfailing: .deferred { factory().asObservable() })
    }

    /// Sends the elements of all `sources` as they come.
    public static func merge(_ sources: Self...) -> Self {
        Self(unfailing: .merge(sources.map { $0.asObservable() }))
    }

    /// Sends what `resultSelector` makes of the first elements of two streams, then of their second ones, as `zip` of streams.
    public static func zip<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, resultSelector: @escaping @Sendable (A, B) -> Element
    ) -> Self {
        Self(unfailing: .zip(a.asObservable(), b.asObservable(), resultSelector: resultSelector))
    }

    /// Sends what `resultSelector` makes of the latest elements of two streams, whenever one of them sends and both have.
    public static func combineLatest<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, resultSelector: @escaping @Sendable (A, B) -> Element
    ) -> Self {
        Self(unfailing: .combineLatest(a.asObservable(), b.asObservable(), resultSelector: resultSelector))
    }

    /// Sends what `resultSelector` makes of the latest elements of three streams.
    public static func combineLatest<A, B, C>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        resultSelector: @escaping @Sendable (A, B, C) -> Element
    ) -> Self {
        Self(unfailing: .combineLatest(a.asObservable(), b.asObservable(), c.asObservable(), resultSelector: resultSelector))
    }
}
