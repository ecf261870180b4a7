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
public typealias Single<Element: Sendable> = PrimitiveSequence<SingleKind, Element>

/// The kind of `Single`.
public enum SingleKind: PrimitiveSequenceKind {}

extension PrimitiveSequence where Kind == SingleKind {
    /// Creates a single from a callback with a result; only the first call counts. The disposable returned by `subscribe` is disposed on
    /// termination.
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

    /// Emits `element` and completes.
    public static func just(_ element: Element) -> Self {
        Self(primitive: .just(element))
    }

    /// Subscribes with closures, one of which is called once, where the source emits. An error without an `onFailure` is reported to
    /// `Hooks.unhandledError`.
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil,
        onFailure: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        outcome.subscribe(onNext: onSuccess, onError: onFailure, onDisposed: onDisposed)
    }

    /// Subscribes with a closure that receives the result, where the source emits.
    public func subscribe(_ onResult: @escaping @Sendable (Result<Element, any Error>) -> Void) -> any Disposable {
        outcome.convertToResult().subscribe(onNext: onResult)
    }

    /// Emits the element transformed; fails if `transform` throws.
    public func map<Result>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Single<Result> {
        Single<Result>(primitive: source.map(transform))
    }

    /// Continues with the single that the element is mapped to.
    public func flatMap<Result>(_ selector: @escaping @Sendable (Element) throws -> Single<Result>) -> Single<Result> {
        Single<Result>(primitive: source.flatMap { try selector($0).source })
    }

    /// Emits the element if it satisfies `predicate`; fails if it throws.
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(primitive: source.filter(predicate))
    }

    /// Emits the result of `transform` unless it is `nil`; fails if it throws.
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) throws -> Result?) -> Maybe<Result> {
        Maybe<Result>(primitive: source.compactMap(transform))
    }

    /// Continues with the completable that the element is mapped to; fails if `selector` throws.
    public func flatMapCompletable(_ selector: @escaping @Sendable (Element) throws -> Completable) -> Completable {
        Completable(primitive: source.flatMap { try selector($0).source })
    }

    /// Calls closures before the outcome is forwarded; fails if one throws.
    public func `do`(
        onSuccess: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Self {
        Self(primitive: source.do(onNext: onSuccess, onError: onError, onSubscribe: onSubscribe, onDispose: onDispose))
    }

    /// Emits `element` instead of an error.
    public func catchAndReturn(_ element: Element) -> Self {
        Self(primitive: source.catchAndReturn(element))
    }

    /// Emits the result of `resultSelector` for the elements of two singles.
    public static func zip<A, B>(
        _ a: Single<A>, _ b: Single<B>, resultSelector: @escaping @Sendable (A, B) throws -> Element
    ) -> Self {
        Self(primitive: Observable.combineLatest(a.source, b.source, resultSelector: resultSelector))
    }

    /// Returns this single as a maybe.
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
    private var outcome: Observable<Element> {
        source.take(1)
    }
}

extension ObservableType {
    /// Returns this stream as a single: fails with `StreamError.noElements` or `StreamError.moreThanOneElement` unless it has exactly one
    /// element.
    ///
    /// The element is emitted when upstream completes. Upstream is disposed at a second element.
    public func asSingle() -> Single<Element> {
        Single(primitive: asObservable()._atMostOne(needsOne: true))
    }
}

extension Observable {
    /// Emits the only element when upstream completes, and fails at a second one.
    func _atMostOne(needsOne: Bool) -> Observable<Element> {
        let start = start
        return Observable { downstream, lifetime in
            let only = SerialState<Element?>(nil)
            start(
                AnyObserver { event in
                    switch event {
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
