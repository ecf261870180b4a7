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
    /// Makes one of whatever calls back with a result; only the first call counts. What `subscribe` returns is disposed at the end.
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
        // Completes with the element, also where two threads call back at once.
        return Self(brief: source.take(1))
    }

    /// Sends `element` and completes.
    public static func just(_ element: Element) -> Self {
        Self(brief: .just(element))
    }

    /// Subscribes with closures, one of which runs once, where the source sends. An error without an `onFailure` goes to
    /// `Hooks.unhandledError`.
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil,
        onFailure: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        outcome.subscribe(onNext: onSuccess, onError: onFailure, onDisposed: onDisposed)
    }

    /// Subscribes with one closure on the result, where the source sends.
    public func subscribe(_ onResult: @escaping @Sendable (Result<Element, any Error>) -> Void) -> any Disposable {
        outcome.convertToResult().subscribe(onNext: onResult)
    }

    /// Sends the element transformed; a throw is the error.
    public func map<Result>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Single<Result> {
        Single<Result>(brief: source.map(transform))
    }

    /// Goes on with the single that `selector` makes of the element.
    public func flatMap<Result>(_ selector: @escaping @Sendable (Element) throws -> Single<Result>) -> Single<Result> {
        Single<Result>(brief: source.flatMap { try selector($0).source })
    }

    /// The element if `predicate` is true for it, and nothing if not; a throw is the error.
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(brief: source.filter(predicate))
    }

    /// What `transform` makes of the element, and nothing where that is nil; a throw is the error.
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) throws -> Result?) -> Maybe<Result> {
        Maybe<Result>(brief: source.compactMap(transform))
    }

    /// Goes on with the completable that `selector` makes of the element; a throw is the error.
    public func flatMapCompletable(_ selector: @escaping @Sendable (Element) throws -> Completable) -> Completable {
        Completable(brief: source.flatMap { try selector($0).source })
    }

    /// Calls closures beside the outcome, before it goes on; a throw is the error.
    public func `do`(
        onSuccess: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Self {
        Self(brief: source.do(onNext: onSuccess, onError: onError, onSubscribe: onSubscribe, onDispose: onDispose))
    }

    /// Sends `element` in place of an error.
    public func catchAndReturn(_ element: Element) -> Self {
        Self(brief: source.catchAndReturn(element))
    }

    /// Sends what `resultSelector` makes of the elements of two singles.
    public static func zip<A, B>(
        _ a: Single<A>, _ b: Single<B>, resultSelector: @escaping @Sendable (A, B) throws -> Element
    ) -> Self {
        Self(brief: Observable.combineLatest(a.source, b.source, resultSelector: resultSelector))
    }

    /// This where none is possible too.
    public func asMaybe() -> Maybe<Element> {
        Maybe(brief: source)
    }

    /// The element; throws the error. Cancelling the awaiting task disposes the subscription and throws `CancellationError`.
    public var value: Element {
        get async throws {
            guard let element = try await source.firstAnswer() else { throw StreamError.noElements }
            return element
        }
    }

    /// The stream let go as soon as the element is there, so that a success is told at the element and not at the end.
    private var outcome: Observable<Element> {
        source.take(1)
    }
}

extension ObservableType {
    /// This stream as a single: fails with `StreamError.noElements` or `StreamError.moreThanOneElement` if it has not exactly one.
    ///
    /// The element is sent when upstream completes. Upstream is let go at a second element.
    public func asSingle() -> Single<Element> {
        Single(brief: asObservable()._atMostOne(needsOne: true))
    }
}

extension Observable {
    /// Sends the only element when upstream completes, and fails at a second one.
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
