import Schedulers

/// A stream of at most one element, or an error: a lookup.
///
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Maybe<Element: Sendable> = PrimitiveSequence<TraitKind.Maybe, Element>

extension TraitKind {
    /// The kind of `Maybe`.
    public enum Maybe: WithElement {}
}

/// The outcome of a maybe.
public enum MaybeEvent<Element: Sendable>: Sendable {
    /// The element.
    case success(Element)
    /// The error.
    case error(any Error)
    /// The completion without an element.
    case completed
}

extension PrimitiveSequence where Kind == TraitKind.Maybe {
    /// Creates a maybe from a callback; only the first call counts. The disposable returned by `subscribe` is disposed on termination.
    @inlinable
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

    /// Completes without an element.
    @inlinable
    public static func empty() -> Self {
        Self(primitive: .empty())
    }

    /// Subscribes with closures, one of which is called once, where the source emits. An error without an `onError` is reported to
    /// `Hooks.unhandledError`.
    @inlinable
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        // Disposed as soon as the element is emitted, like a single; the completion that follows is no outcome.
        guard let onCompleted else {
            return source.take(1).subscribe(onNext: onSuccess, onError: onError, onDisposed: onDisposed)
        }
        return source.convertToMaybeEvent().subscribe(
            onNext: { event, place in
                switch event {
                case .success(let element): onSuccess?(element)
                case .error(let error):
                    guard let onError else { return Hooks.unhandledError(error, place) }
                    onError(error)
                case .completed: onCompleted()
                }
            }, onDisposed: onDisposed)
    }

    /// Subscribes with a closure that is called once, with the outcome, where the source emits.
    @inlinable
    public func subscribe(_ onEvent: @escaping @Sendable (MaybeEvent<Element>) -> Void) -> any Disposable {
        source.convertToMaybeEvent().subscribe(onNext: { event, _ in onEvent(event) })
    }

    /// Creates a maybe from an async closure, which runs in a task for each subscriber; `nil` completes without an element. Disposing
    /// cancels the task.
    @inlinable
    public static func fromAsync(_ operation: @escaping @Sendable () async throws -> Element?) -> Self {
        Self(primitive: Observable<Element?>.fromAsync(operation).unwrap())
    }

    /// Continues with the single that the element is mapped to; fails if `selector` throws.
    @inlinable
    public func flatMapSingle<Result>(_ selector: @escaping @Sendable (Element) throws -> Single<Result>) -> Maybe<Result> {
        Maybe<Result>(primitive: source.flatMap(selector))
    }

    /// Calls closures before (or `after...`) each event is forwarded, like `do` of streams: an element is followed by the completion. Fails
    /// if one throws.
    @inlinable
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil,
        afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Self {
        Self(
            primitive: source.do(
                onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError, onCompleted: onCompleted,
                afterCompleted: afterCompleted, onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Emits `element` if upstream completes without one.
    @inlinable
    public func ifEmpty(default element: Element) -> Single<Element> {
        Single(primitive: source.ifEmpty(default: element))
    }

    /// Continues with `other` if upstream completes without an element.
    @inlinable
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        Single(primitive: source.ifEmpty(switchTo: other.source))
    }

    /// Continues with `other` if upstream completes without an element.
    @inlinable
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        Maybe(primitive: source.ifEmpty(switchTo: other.source))
    }

    /// Waits for the element and returns it, or `nil` if there is none; throws the error. Cancelling the awaiting task disposes the
    /// subscription and throws `CancellationError`.
    public var value: Element? {
        get async throws { try await source.firstAnswer() }
    }
}

extension ObservableType {
    /// Returns this stream as a maybe: fails with `StreamError.moreThanOneElement` if it has more than one element.
    ///
    /// ```swift
    /// numbers.asMaybe()
    /// // -----|
    /// // -----|
    /// ```
    ///
    /// The element is emitted when upstream completes. Upstream is disposed at a second element.
    /// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(primitive: asObservable()._atMostOne(needsOne: false))
    }
}

extension Observable {
    /// Emits the outcome as an element, with the place where the chain was built.
    @inlinable
    func convertToMaybeEvent() -> Observable<(MaybeEvent<Element>, Hooks.Place?)> {
        let start = start
        return Observable<(MaybeEvent<Element>, Hooks.Place?)> { downstream, lifetime in
            let isDone = SerialState(false)
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
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
