import Schedulers

/// A stream of one element or none, or an error: a lookup.
///
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Maybe<Element: Sendable> = PrimitiveSequence<MaybeKind, Element>

/// The kind of `Maybe`.
public enum MaybeKind: PrimitiveSequenceKind {}

/// What a maybe ends with.
public enum MaybeEvent<Element: Sendable>: Sendable {
    /// The element.
    case success(Element)
    /// The failure.
    case error(any Error)
    /// The end without an element.
    case completed
}

extension PrimitiveSequence where Kind == MaybeKind {
    /// Makes one of whatever calls back; only the first call counts. What `subscribe` returns is disposed at the end.
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
        return Self(brief: source.take(1))
    }

    /// Sends `element` and completes.
    public static func just(_ element: Element) -> Self {
        Self(brief: .just(element))
    }

    /// Completes without an element.
    public static func empty() -> Self {
        Self(brief: .empty())
    }

    /// Subscribes with closures, one of which runs once, where the source sends. An error without an `onError` goes to
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

    /// Sends the element transformed; a throw is the error.
    public func map<Result>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Maybe<Result> {
        Maybe<Result>(brief: source.map(transform))
    }

    /// Goes on with the maybe that `selector` makes of the element.
    public func flatMap<Result>(_ selector: @escaping @Sendable (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        Maybe<Result>(brief: source.flatMap { try selector($0).source })
    }

    /// Leaves the element out unless `predicate` is true.
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Self {
        Self(brief: source.filter(predicate))
    }

    /// Sends `element` in place of an error.
    public func catchAndReturn(_ element: Element) -> Self {
        Self(brief: source.catchAndReturn(element))
    }

    /// Sends `element` where there is none.
    public func ifEmpty(default element: Element) -> Single<Element> {
        Single(brief: source.ifEmpty(default: element))
    }

    /// Goes on with `other` where there is no element.
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        Single(brief: source.ifEmpty(switchTo: other.source))
    }

    /// The element, or nil; throws the error. Cancelling the awaiting task disposes the subscription and throws `CancellationError`.
    public var value: Element? {
        get async throws { try await source.firstAnswer() }
    }
}

extension ObservableType {
    /// This stream as a maybe: fails with `StreamError.moreThanOneElement` if it has more than one.
    ///
    /// The element is sent when upstream completes. Upstream is let go at a second element.
    public func asMaybe() -> Maybe<Element> {
        Maybe(brief: asObservable()._atMostOne(needsOne: false))
    }
}

extension Observable {
    /// The first event as an element, with the place where the chain was built.
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
