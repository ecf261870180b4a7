import Schedulers

/// A stream without elements, that completes or fails: a write, a deletion.
///
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Completable = PrimitiveSequence<CompletableKind, Never>

/// The kind of `Completable`.
public enum CompletableKind: PrimitiveSequenceKind {}

/// What a completable ends with.
public enum CompletableEvent: Sendable {
    /// The failure.
    case error(any Error)
    /// The end.
    case completed
}

extension PrimitiveSequence where Kind == CompletableKind, Element == Never {
    /// Makes one of whatever calls back; only the first call counts. What `subscribe` returns is disposed at the end.
    public static func create(
        _ subscribe: @escaping @Sendable (@escaping @Sendable (CompletableEvent) -> Void) -> any Disposable
    ) -> Completable {
        let source = Observable<Never>.create { observer in
            subscribe { event in
                switch event {
                case .error(let error): observer.onError(error)
                case .completed: observer.onCompleted()
                }
            }
        }
        return Completable(brief: source)
    }

    /// Completes at once.
    public static func empty() -> Completable {
        Completable(brief: .empty())
    }

    /// Runs one after the other; the first error ends it.
    public static func concat(_ completables: Completable...) -> Completable {
        Completable(brief: .concat(completables.map(\.source)))
    }

    /// Runs all at once; completes when all have, and the first error ends it.
    public static func zip(_ completables: Completable...) -> Completable {
        Completable(brief: .merge(completables.map(\.source)))
    }

    /// Subscribes with closures, one of which runs once, where the source sends. An error without an `onError` goes to
    /// `Hooks.unhandledError`.
    public func subscribe(
        onCompleted: (@Sendable () -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Goes on with `second` when this has completed.
    public func andThen(_ second: Completable) -> Completable {
        Completable(brief: source.concat(second.source))
    }

    /// Goes on with `second` when this has completed.
    public func andThen<Next>(_ second: Single<Next>) -> Single<Next> {
        Single(brief: followed(by: second.source))
    }

    /// Goes on with `second` when this has completed.
    public func andThen<Next>(_ second: Maybe<Next>) -> Maybe<Next> {
        Maybe(brief: followed(by: second.source))
    }

    /// Goes on with `second` when this has completed.
    public func andThen<Next>(_ second: Observable<Next>) -> Observable<Next> {
        followed(by: second)
    }

    /// Returns when this has completed; throws the error. Cancelling the awaiting task disposes the subscription and throws
    /// `CancellationError`.
    public var value: Void {
        get async throws { _ = try await source.firstAnswer() }
    }

    private func followed<Next>(by second: Observable<Next>) -> Observable<Next> {
        source._withoutElements().concat(second)
    }
}

extension ObservableConvertibleType {
    /// The end of this stream, or its error, without its elements.
    public func asCompletable() -> Completable {
        Completable(brief: asObservable().ignoreElements())
    }
}
