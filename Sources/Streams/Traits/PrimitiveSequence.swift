import Schedulers

/// A stream of one element at most: `Single`, `Maybe` and `Completable` are its three kinds.
///
/// What the kinds have in common is written once, here. Every operator of plain streams is behind `asObservable()`, and `asSingle()`,
/// `asMaybe()` and `asCompletable()` lead back. Cold, heard where the source sends.
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public struct PrimitiveSequence<Kind: PrimitiveSequenceKind, Element: Sendable>: ObservableConvertibleType {
    let source: Observable<Element>

    /// Makes one of a stream that keeps the promise of the kind.
    init(brief source: Observable<Element>) {
        self.source = source
    }

    /// This as a plain stream.
    public func asObservable() -> Observable<Element> {
        source
    }
}

/// What a brief stream promises: one element, one or none, or none.
public protocol PrimitiveSequenceKind: Sendable {}

extension PrimitiveSequence {
    /// Fails at once with `error`.
    public static func error(_ error: any Error) -> Self {
        Self(brief: .error(error))
    }

    /// Sends nothing, ever.
    public static func never() -> Self {
        Self(brief: .never())
    }

    /// Makes the stream when somebody subscribes, anew for each; a throw is the stream's error.
    public static func deferred(_ factory: @escaping @Sendable () throws -> Self) -> Self {
        Self(brief: .deferred { try factory().source })
    }

    /// Goes on with what `handler` makes of an error; a throw in it is the new error.
    public func `catch`(_ handler: @escaping @Sendable (any Error) throws -> Self) -> Self {
        Self(brief: source.catch { try handler($0).source })
    }

    /// Changes the error.
    public func mapError(_ transform: @escaping @Sendable (any Error) throws -> any Error) -> Self {
        Self(brief: source.mapError(transform))
    }

    /// Subscribes again after an error, until there were `maxAttempts` attempts in all.
    public func retry(_ maxAttempts: Int = .max) -> Self {
        Self(brief: source.retry(maxAttempts))
    }

    /// Fails with `StreamError.timeout` when nothing comes for `dueTime`.
    public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(brief: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Sends the outcome `dueTime` later; an error goes on at once.
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(brief: source.delay(dueTime, scheduler: scheduler))
    }

    /// Sends the outcome on `scheduler`.
    public func observe(on scheduler: any Scheduler) -> Self {
        Self(brief: source.observe(on: scheduler))
    }

    /// Subscribes upstream on `scheduler`.
    public func subscribe(on scheduler: any Scheduler) -> Self {
        Self(brief: source.subscribe(on: scheduler))
    }

    /// This without its element: only the end, or the error.
    public func asCompletable() -> Completable {
        source.asCompletable()
    }
}
