import Dispatch
import Schedulers

/// A stream that never fails but otherwise behaves like any other: cold, delivered on the thread of its source.
///
/// ```swift
/// let names = quotes.asInfallible(onErrorJustReturn: "")
/// ```
///
/// Source: [RxSwift, Infallible](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Infallible<Element: Sendable> = InfallibleSequence<TraitKind.Infallible, Element>

extension TraitKind {
    /// The kind of `Infallible`: not shared, delivered on the thread of its source.
    public enum Infallible: CannotFail {
        @inlinable
        public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
            source
        }

        @inlinable
        public static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element> {
            shared
        }
    }
}

/// An event of an infallible stream.
public enum InfallibleEvent<Element: Sendable>: Sendable {
    /// The next element.
    case next(Element)
    /// The completion; no event follows.
    case completed
}

extension ObservableConvertibleType {
    /// Returns this stream, with `element` instead of an error.
    ///
    /// ```swift
    /// numbers.asInfallible(onErrorJustReturn: 9)
    /// // --1--#
    /// // --1--(9|)
    /// ```
    ///
    /// Source: [RxSwift, Infallible](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
    @inlinable
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(infallible: asObservable().catchAndReturn(element))
    }

    /// Returns this stream, continuing with `other` after an error.
    @inlinable
    public func asInfallible(onErrorFallbackTo other: Infallible<Element>) -> Infallible<Element> {
        asInfallible { _ in other }
    }

    /// Returns this stream, continuing with the result of `recover` after an error.
    @inlinable
    public func asInfallible(onErrorRecover recover: @escaping @Sendable (any Error) -> Infallible<Element>) -> Infallible<Element> {
        Infallible(infallible: asObservable().catch { recover($0).asObservable() })
    }
}

extension BehaviorRelay {
    /// Returns this relay as an infallible stream: it cannot fail.
    @inlinable
    public func asInfallible() -> Infallible<Element> {
        Infallible(infallible: asObservable())
    }
}

extension PublishRelay {
    /// Returns this relay as an infallible stream: it cannot fail.
    @inlinable
    public func asInfallible() -> Infallible<Element> {
        Infallible(infallible: asObservable())
    }
}

extension ReplayRelay {
    /// Returns this relay as an infallible stream: it cannot fail.
    @inlinable
    public func asInfallible() -> Infallible<Element> {
        Infallible(infallible: asObservable())
    }
}

extension InfallibleSequence where Kind == TraitKind.Infallible {
    /// Creates a stream from calls of an observer that cannot fail; otherwise like `Observable.create`.
    @inlinable
    public static func create(
        _ subscribe: @escaping @Sendable (@escaping @Sendable (InfallibleEvent<Element>) -> Void) -> any Disposable
    ) -> Self {
        let source = Observable<Element>.create { observer in
            subscribe { event in
                switch event {
                case .next(let element): observer.onNext(element)
                case .completed: observer.onCompleted()
                }
            }
        }
        return Self(infallible: source)
    }

    /// Subscribes with closures, called serially where the source emits.
    @inlinable
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }
}

/// The operators of `Infallible` in addition to those of all streams that never fail. They need a scheduler, which drivers and signals
/// already have.
extension InfallibleSequence where Kind == TraitKind.Infallible {
    /// Delivers all events on `scheduler`, like `observe(on:)` of streams.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().observe(on: scheduler))
    }

    /// Delivers all events on `queue`, like `observe(on:)` of streams.
    @inlinable
    public func observe(on queue: DispatchQueue) -> Self {
        Self(infallible: asObservable().observe(on: queue))
    }

    /// Subscribes upstream on `scheduler`, like `subscribe(on:)` of streams.
    @inlinable
    public func subscribe(on scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().subscribe(on: scheduler))
    }

    /// Emits an element when none has followed it for `dueTime`, like `debounce` of streams.
    @inlinable
    public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// Emits an element and then nothing for `dueTime`, like `throttle` of streams.
    @inlinable
    public func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }

    /// Emits each element, and the completion, `dueTime` later.
    @inlinable
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(infallible: asObservable().delay(dueTime, scheduler: scheduler))
    }

    /// Shares one subscription upstream among all subscribers, like `share` of streams.
    @inlinable
    public func share(replay count: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Self {
        Self(infallible: asObservable().share(replay: count, scope: scope))
    }
}
