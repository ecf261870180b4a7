import Schedulers

/// A stream that never fails: `Driver`, `Signal` and `Infallible` are its three kinds.
///
/// The common part of its kinds. Its closures do not throw, so no error can be introduced. All operators of plain streams are available
/// through `asObservable()`, and an `as...(onError...)` converts back.
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public struct InfallibleSequence<Kind: InfallibleSequenceKind, Element: Sendable>: ObservableConvertibleType {
    private let source: Observable<Element>

    /// Creates one from a stream that cannot fail; `source` is shared as the kind defines.
    init(infallible source: Observable<Element>) {
        self.source = Kind.share(source)
    }

    /// Returns this as a plain stream, which is delivered as the kind defines: on the main loop for drivers and signals.
    public func asObservable() -> Observable<Element> {
        Kind.deliver(source)
    }
}

/// Defines how the streams of a kind are shared, and where they are delivered.
public protocol InfallibleSequenceKind: Sendable {
    /// Returns the part shared by all subscribers.
    static func share<Element>(_ source: Observable<Element>) -> Observable<Element>

    /// Returns the part specific to each subscriber.
    static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element>
}

/// A kind whose streams are delivered on the main loop.
public protocol MainLoopKind: InfallibleSequenceKind {}

extension MainLoopKind {
    public static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element> {
        shared.observe(on: MainScheduler.instance)
    }
}

extension InfallibleSequence {
    /// Emits `element` and completes.
    public static func just(_ element: Element) -> Self {
        Self(infallible: .just(element))
    }

    /// Emits the given elements and completes.
    public static func of(_ elements: Element...) -> Self {
        Self(infallible: .from(elements))
    }

    /// Returns a stream that completes immediately.
    public static func empty() -> Self {
        Self(infallible: .empty())
    }

    /// Returns a stream that never emits an event.
    public static func never() -> Self {
        Self(infallible: .never())
    }

    /// Creates the stream anew for each subscriber.
    public static func deferred(_ factory: @escaping @Sendable () -> Self) -> Self {
        Self(infallible: .deferred { factory().asObservable() })
    }

    /// Emits the elements of all `sources` as they are emitted.
    public static func merge(_ sources: Self...) -> Self {
        Self(infallible: .merge(sources.map { $0.asObservable() }))
    }

    /// Emits the result of `resultSelector` for the first elements of two streams, then for their second ones, like `zip` of streams.
    public static func zip<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, resultSelector: @escaping @Sendable (A, B) -> Element
    ) -> Self {
        Self(infallible: .zip(a.asObservable(), b.asObservable(), resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the latest elements of two streams, whenever one of them emits and both have.
    public static func combineLatest<A, B>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, resultSelector: @escaping @Sendable (A, B) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a.asObservable(), b.asObservable(), resultSelector: resultSelector))
    }

    /// Emits the result of `resultSelector` for the latest elements of three streams.
    public static func combineLatest<A, B, C>(
        _ a: InfallibleSequence<Kind, A>, _ b: InfallibleSequence<Kind, B>, _ c: InfallibleSequence<Kind, C>,
        resultSelector: @escaping @Sendable (A, B, C) -> Element
    ) -> Self {
        Self(infallible: .combineLatest(a.asObservable(), b.asObservable(), c.asObservable(), resultSelector: resultSelector))
    }
}
