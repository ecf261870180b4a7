import Schedulers

/// A stream that never fails but otherwise behaves like any other: cold, delivered on the thread of its source.
///
/// ```swift
/// let names = quotes.asInfallible(onErrorJustReturn: "")
/// ```
///
/// Source: [RxSwift, Infallible](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Infallible<Element: Sendable> = InfallibleSequence<InfallibleKind, Element>

/// The kind of `Infallible`: not shared, delivered on the thread of its source.
public enum InfallibleKind: InfallibleSequenceKind {
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source
    }

    public static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element> {
        shared
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
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(infallible: asObservable().catchAndReturn(element))
    }

    /// Returns this stream, continuing with `other` after an error.
    public func asInfallible(onErrorFallbackTo other: Infallible<Element>) -> Infallible<Element> {
        asInfallible { _ in other }
    }

    /// Returns this stream, continuing with the result of `recover` after an error.
    public func asInfallible(onErrorRecover recover: @escaping @Sendable (any Error) -> Infallible<Element>) -> Infallible<Element> {
        Infallible(infallible: asObservable().catch { recover($0).asObservable() })
    }
}

extension BehaviorRelay {
    /// Returns this relay as an infallible stream: it cannot fail.
    public func asInfallible() -> Infallible<Element> {
        Infallible(infallible: asObservable())
    }
}

extension PublishRelay {
    /// Returns this relay as an infallible stream: it cannot fail.
    public func asInfallible() -> Infallible<Element> {
        Infallible(infallible: asObservable())
    }
}

extension ReplayRelay {
    /// Returns this relay as an infallible stream: it cannot fail.
    public func asInfallible() -> Infallible<Element> {
        Infallible(infallible: asObservable())
    }
}

extension InfallibleSequence where Kind == InfallibleKind {
    /// Creates a stream from calls of an observer that cannot fail; otherwise like `Observable.create`.
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
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }
}
