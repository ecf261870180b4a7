import Schedulers

/// A stream that never fails, and is otherwise as any: cold, heard where it is sent.
///
/// ```swift
/// let names = quotes.asInfallible(onErrorJustReturn: "")
/// ```
///
/// Source: [RxSwift, Infallible](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Infallible<Element: Sendable> = InfallibleSequence<InfallibleKind, Element>

/// The kind of `Infallible`: not shared, heard where it is sent.
public enum InfallibleKind: InfallibleSequenceKind {
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source
    }

    public static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element> {
        shared
    }
}

/// What an infallible stream sends.
public enum InfallibleEvent<Element: Sendable>: Sendable {
    /// The next element.
    case next(Element)
    /// The end; nothing follows.
    case completed
}

extension ObservableConvertibleType {
    /// This stream, with `element` in place of an error.
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(unfailing: asObservable().catchAndReturn(element))
    }

    /// This stream, going on with `other` after an error.
    public func asInfallible(onErrorFallbackTo other: Infallible<Element>) -> Infallible<Element> {
        asInfallible { _ in other }
    }

    /// This stream, going on with what `recover` makes of an error.
    public func asInfallible(onErrorRecover recover: @escaping @Sendable (any Error) -> Infallible<Element>) -> Infallible<Element> {
        Infallible(unfailing: asObservable().catch { recover($0).asObservable() })
    }
}

extension InfallibleSequence where Kind == InfallibleKind {
    /// Makes a stream of whatever calls an observer, which cannot send an error; otherwise as `Observable.create`.
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
        return Self(unfailing: source)
    }

    /// Subscribes with closures, called serially where the source sends.
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Sends the elements to `observer`: a binder, a relay, a subject.
    public func bind(to observer: some ObserverType<Element>) -> any Disposable {
        asObservable().bind(to: observer)
    }

    /// Sends the elements to an observer of optionals, such as the binder of an optional property.
    public func bind(to observer: some ObserverType<Element?>) -> any Disposable {
        asObservable().bind(to: observer)
    }

    /// Runs `onNext` on the main loop with each element, as main-actor code.
    public func bind(onNext: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable {
        asObservable().bind(onNext: onNext)
    }
}
