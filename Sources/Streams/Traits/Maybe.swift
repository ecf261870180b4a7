import Schedulers

/// A stream of at most one element, or an error: a lookup.
///
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Maybe<Element: Sendable> = PrimitiveSequence<MaybeKind, Element>

/// The kind of `Maybe`.
public enum MaybeKind: PrimitiveSequenceKind {}

/// The outcome of a maybe.
public enum MaybeEvent<Element: Sendable>: Sendable {
    /// The element.
    case success(Element)
    /// The error.
    case error(any Error)
    /// The completion without an element.
    case completed
}

extension PrimitiveSequence where Kind == MaybeKind {
    /// Creates a maybe from a callback; only the first call counts. The disposable returned by `subscribe` is disposed on termination.
    public static func create(
        _ subscribe: @escaping @Sendable (@escaping @Sendable (MaybeEvent<Element>) -> Void) -> any Disposable
    ) -> Self {
        let source = Observable<Element>.create { observer in
            subscribe { event in
                switch event {
                case .success(let element): observer.onNext(element)
                case .error(let error): observer.onError(error)
                case .completed: observer.onCompleted()
                }
            }
        }
        return Self(primitive: source.take(1))
    }

    /// Emits `element` and completes.
    public static func just(_ element: Element) -> Self {
        Self(primitive: .just(element))
    }

    /// Completes without an element.
    public static func empty() -> Self {
        Self(primitive: .empty())
    }

    /// Subscribes with closures, one of which is called once, where the source emits. An error without an `onError` is reported to
    /// `Hooks.unhandledError`.
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        source.convertToMaybeEvent().subscribe(
            onNext: { event, place in
                switch event {
                case .success(let element): onSuccess?(element)
                case .error(let error):
                    guard let onError else { return Hooks.unhandledError(error, place) }
                    onError(error)
                case .completed: onCompleted?()
                }
            }, onDisposed: onDisposed)
    }

    /// Emits the element transformed; fails if `transform` throws.
    public func map<Result>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Maybe<Result> {
        Maybe<Result>(primitive: source.map(transform))
    }

    /// Continues with the maybe that the element is mapped to.
    public func flatMap<Result>(_ selector: @escaping @Sendable (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        Maybe<Result>(primitive: source.flatMap { try selector($0).source })
    }

    /// Emits the element only if it satisfies `predicate`.
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Self {
        Self(primitive: source.filter(predicate))
    }

    /// Emits `element` instead of an error.
    public func catchAndReturn(_ element: Element) -> Self {
        Self(primitive: source.catchAndReturn(element))
    }

    /// Emits `element` if there is none.
    public func ifEmpty(default element: Element) -> Single<Element> {
        Single(primitive: source.ifEmpty(default: element))
    }

    /// Continues with `other` if there is no element.
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        Single(primitive: source.ifEmpty(switchTo: other.source))
    }

    /// Waits for the element, or `nil`; throws the error. Cancelling the awaiting task disposes the subscription and throws
    /// `CancellationError`.
    public var value: Element? {
        get async throws { try await source.firstAnswer() }
    }
}

extension ObservableType {
    /// Returns this stream as a maybe: fails with `StreamError.moreThanOneElement` if it has more than one element.
    ///
    /// The element is emitted when upstream completes. Upstream is disposed at a second element.
    public func asMaybe() -> Maybe<Element> {
        Maybe(primitive: asObservable()._atMostOne(needsOne: false))
    }
}

extension Observable {
    /// Emits the outcome as an element, with the place where the chain was built.
    fileprivate func convertToMaybeEvent() -> Observable<(MaybeEvent<Element>, TracedPlace?)> {
        let start = start
        return Observable<(MaybeEvent<Element>, TracedPlace?)> { downstream, lifetime in
            let isDone = SerialState(false)
            start(
                AnyObserver { event in
                    guard !isDone.value else { return }
                    isDone.value = true
                    switch event {
                    case .next(let element): downstream.finish(with: (.success(element), nil), in: lifetime)
                    case .error(let error): downstream.finish(with: (.error(error), lifetime.tracedPlace), in: lifetime)
                    case .completed: downstream.finish(with: (.completed, nil), in: lifetime)
                    }
                }, lifetime)
        }
    }
}
