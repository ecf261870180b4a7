import Schedulers

/// A stream that never fails: `Driver`, `Signal` and `Infallible` are its three kinds.
///
/// This type is the common part of its kinds. Its closures do not throw, so no error can be introduced. All operators of plain streams are
/// available through `asObservable()`, and an `as...(onError...)` converts back. Source: [RxSwift,
/// Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public struct InfallibleSequence<Kind: TraitKind.CannotFail, Element: Sendable>: ObservableConvertibleType {
    @usableFromInline let source: Observable<Element>

    /// Creates a sequence from a stream that cannot fail; `source` is shared as the kind defines.
    @inlinable
    init(infallible source: Observable<Element>) {
        self.source = Kind.share(source)
    }

    /// Returns this sequence as a plain stream, which is delivered as the kind defines: on the main loop for drivers and signals.
    @inlinable
    public func asObservable() -> Observable<Element> {
        Kind.deliver(source)
    }
}

extension TraitKind {
    /// Defines how the streams of a kind are shared, and where they are delivered.
    public protocol CannotFail: Sendable {
        /// Returns the part shared by all subscribers.
        static func share<Element>(_ source: Observable<Element>) -> Observable<Element>

        /// Returns the part specific to each subscriber.
        static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element>
    }
}

extension InfallibleSequence {
    /// Emits `element` and completes.
    @inlinable
    public static func just(_ element: Element) -> Self {
        Self(infallible: .just(element))
    }

    /// Emits the given elements and completes.
    @inlinable
    public static func of(_ elements: Element...) -> Self {
        Self(infallible: .from(elements))
    }

    /// Emits the elements of a sequence and completes.
    @inlinable
    public static func from(_ elements: some Sequence<Element> & Sendable) -> Self {
        Self(infallible: .from(elements))
    }

    /// Emits the value of an optional, if there is one, and completes.
    @inlinable
    public static func from(optional element: Element?) -> Self {
        Self(infallible: .from(optional: element))
    }

    /// Emits `initialState` and the repeated results of `iterate` while `condition` holds, and completes.
    @inlinable
    public static func generate(
        initialState: Element, condition: @escaping @Sendable (Element) -> Bool, iterate: @escaping @Sendable (Element) -> Element
    ) -> Self {
        Self(infallible: .generate(initialState: initialState, condition: condition, iterate: iterate))
    }

    /// Returns a stream that completes immediately.
    @inlinable
    public static func empty() -> Self {
        Self(infallible: .empty())
    }

    /// Returns a stream that never emits an event.
    @inlinable
    public static func never() -> Self {
        Self(infallible: .never())
    }

    /// Creates the stream anew for each subscriber.
    @inlinable
    public static func deferred(_ factory: @escaping @Sendable () -> Self) -> Self {
        Self(infallible: .deferred { factory().asObservable() })
    }

    /// Emits the elements of all `sources` as soon as they arrive.
    @inlinable
    public static func merge(_ sources: Self...) -> Self {
        merge(sources)
    }

    /// Emits the elements of all `sources` as soon as they arrive.
    @inlinable
    public static func merge(_ sources: some Sequence<Self>) -> Self {
        Self(infallible: .merge(sources.map { $0.asObservable() }))
    }

    /// Subscribes to the streams one after the other and emits their elements.
    @inlinable
    public static func concat(_ sources: Self...) -> Self {
        concat(sources)
    }

    /// Subscribes to the streams one after the other and emits their elements.
    @inlinable
    public static func concat(_ sources: some Sequence<Self>) -> Self {
        Self(infallible: .concat(sources.map { $0.asObservable() }))
    }
}

extension InfallibleSequence where Element: FixedWidthInteger {
    /// Emits `count` ascending integers from `start` and completes.
    ///
    /// - Precondition: `count` is not negative, and the last integer is in the range of the type.
    @inlinable
    public static func range(start first: Element, count: Int) -> Self {
        Self(infallible: .range(start: first, count: count))
    }
}

extension InfallibleSequence where Kind == TraitKind.Infallible, Element: FixedWidthInteger {
    /// Emits 0, 1, 2... on `scheduler`, the first after one `period`, like `interval` of streams.
    @inlinable
    public static func interval(_ period: Duration, scheduler: any Scheduler) -> Self {
        Self(infallible: .interval(period, scheduler: scheduler))
    }

    /// Emits 0 on `scheduler` after `dueTime`, and then 1, 2... once every `period`; without a period it completes after the first.
    @inlinable
    public static func timer(_ dueTime: Duration, period: Duration? = nil, scheduler: any Scheduler) -> Self {
        Self(infallible: .timer(dueTime, period: period, scheduler: scheduler))
    }
}

extension InfallibleSequence where Kind: TraitKind.OnMainLoop, Element: FixedWidthInteger {
    /// Emits 0, 1, 2... on the main loop, the first after one `period`, like `interval` of streams.
    @inlinable
    public static func interval(_ period: Duration) -> Self {
        Self(infallible: .interval(period, scheduler: MainLoopDelivery.scheduler))
    }

    /// Emits 0 on the main loop after `dueTime`, and then 1, 2... once every `period`; without a period it completes after the first.
    @inlinable
    public static func timer(_ dueTime: Duration, period: Duration? = nil) -> Self {
        Self(infallible: .timer(dueTime, period: period, scheduler: MainLoopDelivery.scheduler))
    }
}
