import Schedulers

/// A stream of exactly one element, or an error: a request, a computation.
///
/// ```swift
/// let profile = Single<User>.create { single in
///     let task = load { result in single(result) }
///     return Disposables.create { task.cancel() }
/// }
/// let loaded = try await profile.value
/// ```
///
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Single<Element: Sendable> = PrimitiveSequence<TraitKind.Single, Element>

extension TraitKind {
    /// The kind of `Single`.
    public enum Single: WithElement {
        public static var requiresElement: Bool { true }
    }
}

extension PrimitiveSequence where Kind == TraitKind.Single {
    /// Creates a single from a callback with a result; only the first call counts. The disposable returned by `subscribe` is disposed on
    /// termination.
    @inlinable
    public static func create(
        _ subscribe: @escaping @Sendable (@escaping @Sendable (Result<Element, any Error>) -> Void) -> any Disposable
    ) -> Self {
        let source = Observable<Element>.create { observer in
            subscribe { result in
                switch result {
                case .success(let element): observer.onNext(element)
                case .failure(let error): observer.onError(error)
                }
            }
        }
        // Completes with the element, even if two threads call back at once.
        return Self(primitive: source.take(1))
    }

    /// Subscribes with closures, one of which is called once, where the source emits. An error without an `onFailure` is reported to
    /// `Hooks.unhandledError`.
    @inlinable
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil,
        onFailure: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        outcome.subscribe(onNext: onSuccess, onError: onFailure, onDisposed: onDisposed)
    }

    /// Subscribes with a closure that receives the result, where the source emits.
    @inlinable
    public func subscribe(_ onResult: @escaping @Sendable (Result<Element, any Error>) -> Void) -> any Disposable {
        outcome.convertToResult().subscribe(onNext: onResult)
    }

    /// Creates a single from an async closure, which runs in a task for each subscriber; disposing cancels the task.
    @inlinable
    public static func fromAsync(_ operation: @escaping @Sendable () async throws -> Element) -> Self {
        Self(primitive: .fromAsync(operation))
    }

    /// Continues with the maybe that the element is mapped to; fails if `selector` throws.
    @inlinable
    public func flatMapMaybe<Result>(_ selector: @escaping @Sendable (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        Maybe<Result>(primitive: source.flatMap(selector))
    }

    /// Calls closures before (or `after...`) the outcome is forwarded, like `do` of streams; fails if one throws.
    @inlinable
    public func `do`(
        onSuccess: (@Sendable (Element) throws -> Void)? = nil,
        afterSuccess: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Self {
        Self(
            primitive: source.do(
                onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError, onSubscribe: onSubscribe,
                onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Returns this single as a maybe.
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(primitive: source)
    }

    /// Waits for the element; throws the error. Cancelling the awaiting task disposes the subscription and throws `CancellationError`.
    public var value: Element {
        get async throws {
            guard let element = try await source.firstAnswer() else { throw StreamError.noElements }
            return element
        }
    }

    /// The stream, disposed as soon as the element is emitted, so that a success is reported at the element and not at the completion.
    @inlinable var outcome: Observable<Element> {
        source.take(1)
    }
}

extension ObservableType {
    /// Returns this stream as a single: fails with `StreamError.noElements` or `StreamError.moreThanOneElement` unless it has exactly one
    /// element.
    ///
    /// ```swift
    /// numbers.asSingle()
    /// // --1--|
    /// // -----(1|)
    /// ```
    ///
    /// The element is emitted when upstream completes. Upstream is disposed at a second element.
    /// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
    @inlinable
    public func asSingle() -> Single<Element> {
        Single(primitive: asObservable()._atMostOne(needsOne: true))
    }
}

extension Observable {
    /// Emits the only element when upstream completes, and fails at a second one.
    @inlinable
    func _atMostOne(needsOne: Bool) -> Observable<Element> {
        let start = start
        return Observable { downstream, lifetime in
            let only = SerialState<Element?>(nil)
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element):
                        guard only.value == nil else { return downstream.onError(StreamError.moreThanOneElement) }
                        only.value = element
                    case .error(let error): downstream.onError(error)
                    case .completed:
                        guard let element = only.value.take() else {
                            return needsOne ? downstream.onError(StreamError.noElements) : downstream.onCompleted()
                        }
                        downstream.finish(with: element, in: lifetime)
                    }
                }, lifetime)
        }
    }
}
