import Schedulers

/// A stream of one element at most: `Single`, `Maybe` and `Completable` are its three kinds.
///
/// The common part of its kinds. All operators of plain streams are available through `asObservable()`, and `asSingle()`, `asMaybe()` and
/// `asCompletable()` convert back. Cold, delivered on the thread of its source.
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public struct PrimitiveSequence<Kind: PrimitiveSequenceKind, Element: Sendable>: ObservableConvertibleType {
    let source: Observable<Element>

    /// Creates one from a stream that satisfies the guarantee of the kind.
    init(primitive source: Observable<Element>) {
        self.source = source
    }

    /// Returns this as a plain stream.
    public func asObservable() -> Observable<Element> {
        source
    }
}

/// The guarantee of a primitive sequence: one element, at most one, or none.
public protocol PrimitiveSequenceKind: Sendable {}

extension PrimitiveSequence {
    /// Returns a stream that fails immediately with `error`.
    public static func error(_ error: any Error) -> Self {
        Self(primitive: .error(error))
    }

    /// Returns a stream that never emits an event.
    public static func never() -> Self {
        Self(primitive: .never())
    }

    /// Creates the stream anew for each subscriber; fails if `factory` throws.
    public static func deferred(_ factory: @escaping @Sendable () throws -> Self) -> Self {
        Self(primitive: .deferred { try factory().source })
    }

    /// Continues with the stream that `handler` returns for an error; fails with a new error if it throws.
    public func `catch`(_ handler: @escaping @Sendable (any Error) throws -> Self) -> Self {
        Self(primitive: source.catch { try handler($0).source })
    }

    /// Transforms the error.
    public func mapError(_ transform: @escaping @Sendable (any Error) throws -> any Error) -> Self {
        Self(primitive: source.mapError(transform))
    }

    /// Subscribes again after an error, up to `maxAttempts` attempts in total.
    public func retry(_ maxAttempts: Int = .max) -> Self {
        Self(primitive: source.retry(maxAttempts))
    }

    /// Fails with `StreamError.timeout` if there is no outcome within `dueTime`.
    public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(primitive: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Emits the outcome `dueTime` later; an error is forwarded immediately.
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(primitive: source.delay(dueTime, scheduler: scheduler))
    }

    /// Delivers the outcome on `scheduler`.
    public func observe(on scheduler: any Scheduler) -> Self {
        Self(primitive: source.observe(on: scheduler))
    }

    /// Subscribes upstream on `scheduler`.
    public func subscribe(on scheduler: any Scheduler) -> Self {
        Self(primitive: source.subscribe(on: scheduler))
    }

    /// Returns the terminal event only, without the element.
    public func asCompletable() -> Completable {
        source.asCompletable()
    }
}
