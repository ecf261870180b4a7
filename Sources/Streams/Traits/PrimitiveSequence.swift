public import Dispatch
import Schedulers

/// A stream of one element at most: `Single`, `Maybe` and `Completable` are its three kinds.
///
/// This type is the common part of its kinds. All operators of plain streams are available through `asObservable()`, and `asSingle()`,
/// `asMaybe()` and `asCompletable()` convert back. Its streams are cold, and delivered on the thread of the source. Source: [RxSwift,
/// Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public struct PrimitiveSequence<Kind: TraitKind.Primitive, Element: Sendable>: ObservableConvertibleType {
    @usableFromInline let source: Observable<Element>

    /// Creates a sequence from a stream that satisfies the guarantee of the kind.
    @inlinable
    init(primitive source: Observable<Element>) {
        self.source = source
    }

    /// Returns this sequence as a plain stream.
    @inlinable
    public func asObservable() -> Observable<Element> {
        source
    }
}

extension TraitKind {
    /// The guarantee of a primitive sequence: one element, at most one, or none.
    public protocol Primitive: Sendable {
        /// Whether completing without an element is an error: `StreamError.noElements`.
        static var requiresElement: Bool { get }
    }
}

extension TraitKind.Primitive {
    public static var requiresElement: Bool { false }
}

extension TraitKind {
    /// A kind whose streams may have an element: `Single` and `Maybe`.
    public protocol WithElement: Primitive {}
}

extension PrimitiveSequence {
    /// Returns a stream that fails immediately with `error`.
    @inlinable
    public static func error(_ error: any Error) -> Self {
        Self(primitive: .error(error))
    }

    /// Returns a stream that never emits an event.
    @inlinable
    public static func never() -> Self {
        Self(primitive: .never())
    }

    /// Creates the stream anew for each subscriber; fails if `factory` throws.
    @inlinable
    public static func deferred(_ factory: @escaping @Sendable () throws -> Self) -> Self {
        Self(primitive: .deferred { try factory().source })
    }

    /// Creates a resource for each subscriber, and a stream from it; the resource is disposed with the subscription.
    @inlinable
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        primitiveSequenceFactory: @escaping @Sendable (Resource) throws -> Self
    ) -> Self {
        Self(primitive: .using(resourceFactory, observableFactory: { try primitiveSequenceFactory($0).source }))
    }

    /// Continues with the stream that `handler` returns for an error; fails with a new error if it throws.
    @inlinable
    public func `catch`(_ handler: @escaping @Sendable (any Error) throws -> Self) -> Self {
        Self(primitive: source.catch { try handler($0).source })
    }

    /// Transforms the error.
    @inlinable
    public func mapError(_ transform: @escaping @Sendable (any Error) throws -> any Error) -> Self {
        Self(primitive: source.mapError(transform))
    }

    /// Subscribes again after an error, up to `maxAttempts` attempts in total.
    @inlinable
    public func retry(_ maxAttempts: Int = .max) -> Self {
        Self(primitive: source.retry(maxAttempts))
    }

    /// Subscribes again after an error as `policy` defines, like `retry(_:scheduler:)` of streams.
    @inlinable
    public func retry(
        _ policy: RetryPolicy, scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Self {
        Self(primitive: source.retry(policy, scheduler: scheduler))
    }

    /// Subscribes again each time the stream returned by `notificationHandler` emits, like `retry(when:)` of streams. A single fails with
    /// `StreamError.noElements` if that stream completes.
    @inlinable
    public func retry<Trigger: ObservableConvertibleType>(
        when notificationHandler: @escaping @Sendable (Observable<any Error>) throws -> Trigger
    ) -> Self {
        let retried = source.retry(when: notificationHandler)
        guard Kind.requiresElement else { return Self(primitive: retried) }
        return Self(primitive: retried.ifEmpty(switchTo: Observable.error(StreamError.noElements)))
    }

    /// Fails with `StreamError.timeout` if there is no outcome within `dueTime`.
    @inlinable
    public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(primitive: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Continues with `other` if there is no outcome within `dueTime`.
    @inlinable
    public func timeout(_ dueTime: Duration, other: Self, scheduler: any Scheduler) -> Self {
        Self(primitive: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }

    /// Subscribes upstream `dueTime` after the subscription.
    @inlinable
    public func delaySubscription(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(primitive: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Prints the events of this stream, like `debug` of streams.
    @inlinable
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: StaticString = #fileID, line: UInt = #line,
        output: @escaping @Sendable (String) -> Void = { print($0) }
    ) -> Self {
        Self(primitive: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, output: output))
    }

    /// Emits the outcome `dueTime` later; an error is forwarded immediately.
    @inlinable
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(primitive: source.delay(dueTime, scheduler: scheduler))
    }

    /// Delivers the outcome on `scheduler`.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> Self {
        Self(primitive: source.observe(on: scheduler))
    }

    /// Subscribes upstream on `scheduler`.
    @inlinable
    public func subscribe(on scheduler: any Scheduler) -> Self {
        Self(primitive: source.subscribe(on: scheduler))
    }

    /// Counts on the indicator from the subscription to the outcome or the disposal.
    @inlinable
    public func trackActivity(_ indicator: LoadIndicator) -> Self {
        Self(primitive: source.trackActivity(indicator))
    }

    /// Applies `transform` to this stream, so that custom operators of a trait can be used in a chain. It is called immediately.
    @inlinable
    public func apply<ResultKind, Result>(
        _ transform: (Self) throws -> PrimitiveSequence<ResultKind, Result>
    ) rethrows -> PrimitiveSequence<ResultKind, Result> {
        try transform(self)
    }

    /// Returns the terminal event only, without the element.
    @inlinable
    public func asCompletable() -> Completable {
        source.asCompletable()
    }
}
