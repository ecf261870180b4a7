import Schedulers

/// A stream without elements that completes or fails: a write, a deletion.
///
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Completable = PrimitiveSequence<TraitKind.Completable, Never>

extension TraitKind {
    /// The kind of `Completable`.
    public enum Completable: Primitive {}
}

/// The terminal event of a completable.
public enum CompletableEvent: Sendable {
    /// The error.
    case error(any Error)
    /// The completion.
    case completed
}

extension PrimitiveSequence where Kind == TraitKind.Completable, Element == Never {
    /// Creates a completable from a callback; only the first call counts. The disposable returned by `subscribe` is disposed on
    /// termination.
    @inlinable
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
        return Completable(primitive: source)
    }

    /// Returns a completable that completes immediately.
    @inlinable
    public static func empty() -> Completable {
        Completable(primitive: .empty())
    }

    /// Creates a completable from an async closure, which runs in a task for each subscriber; disposing cancels the task.
    public static func fromAsync(_ operation: @escaping @Sendable () async throws -> Void) -> Completable {
        Observable.fromAsync(operation).asCompletable()
    }

    /// Runs the streams one after the other; fails at the first error.
    @inlinable
    public static func concat(_ completables: Completable...) -> Completable {
        concat(completables)
    }

    /// Runs the streams one after the other; fails at the first error.
    @inlinable
    public static func concat(_ completables: some Sequence<Completable>) -> Completable {
        Completable(primitive: .concat(completables.map(\.source)))
    }

    /// Continues with `second` when this has completed: the same as `andThen`.
    @inlinable
    public func concat(_ second: Completable) -> Completable {
        andThen(second)
    }

    /// Runs all streams concurrently; completes when all have completed, and fails at the first error.
    @inlinable
    public static func zip(_ completables: Completable...) -> Completable {
        zip(completables)
    }

    /// Runs all streams concurrently; completes when all have completed, and fails at the first error.
    @inlinable
    public static func zip(_ completables: some Collection<Completable>) -> Completable {
        Completable(primitive: .merge(completables.map(\.source)))
    }

    /// Calls closures before (or `after...`) the terminal event is forwarded, like `do` of streams; fails if one throws.
    public func `do`(
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Completable {
        Completable(
            primitive: source.do(
                onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Subscribes with a closure that is called once, with the terminal event, where the source emits.
    @inlinable
    public func subscribe(_ onEvent: @escaping @Sendable (CompletableEvent) -> Void) -> any Disposable {
        source.subscribe(onError: { error in onEvent(.error(error)) }, onCompleted: { onEvent(.completed) })
    }

    /// Subscribes with closures, one of which is called once, where the source emits. An error without an `onError` is reported to
    /// `Hooks.unhandledError`.
    @inlinable
    public func subscribe(
        onCompleted: (@Sendable () -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Continues with `second` when this has completed.
    @inlinable
    public func andThen(_ second: Completable) -> Completable {
        Completable(primitive: source.ifEmpty(switchTo: second.source))
    }

    /// Continues with `second` when this has completed.
    @inlinable
    public func andThen<Next>(_ second: Single<Next>) -> Single<Next> {
        Single(primitive: followed(by: second.source))
    }

    /// Continues with `second` when this has completed.
    @inlinable
    public func andThen<Next>(_ second: Maybe<Next>) -> Maybe<Next> {
        Maybe(primitive: followed(by: second.source))
    }

    /// Continues with `second` when this has completed.
    @inlinable
    public func andThen<Next>(_ second: Observable<Next>) -> Observable<Next> {
        followed(by: second)
    }

    /// Waits for the completion; throws the error. Cancelling the awaiting task disposes the subscription and throws `CancellationError`.
    public var value: Void {
        get async throws { _ = try await source.firstAnswer() }
    }

    @inlinable
    func followed<Next>(by second: Observable<Next>) -> Observable<Next> {
        source.ofType().ifEmpty(switchTo: second)
    }
}

extension ObservableConvertibleType {
    /// Returns the terminal event of this stream, without its elements.
    ///
    /// ```swift
    /// numbers.asCompletable()
    /// // --1--2--|
    /// // --------|
    /// ```
    ///
    /// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
    @inlinable
    public func asCompletable() -> Completable {
        Completable(primitive: asObservable().ignoreElements())
    }
}
