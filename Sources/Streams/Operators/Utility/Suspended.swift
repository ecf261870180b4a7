import Schedulers

/// Suspends the sources of streams by hand: for a subscriber of one's own that is slow.
///
/// ```swift
/// let suspension = Suspension()
/// let subscription = lines.suspended(by: suspension).subscribe(onNext: { line in
///     suspension.suspend()
///     writer.write(line) { suspension.resume() }
/// })
/// ```
///
/// A suspension that is no longer referenced resumes. Thread-safe.
public final class Suspension: Sendable {
    let core = SuspensionCore()

    /// Creates a suspension that suspends nothing yet.
    public init() {}

    deinit { core.resume() }

    /// Suspends the sources: called from within an observer, nothing more is emitted; from another thread, at most one element for each
    /// emitting thread. Has no effect if they are suspended.
    public func suspend() { core.suspend() }

    /// Resumes the sources, on this thread or, if they were subscribed to with `subscribe(on:)`, on that scheduler. Not from under a lock
    /// that the observers need: a synchronous source emits until it is suspended again or has terminated.
    public func resume() { core.resume() }

    /// Whether the sources are suspended.
    public var isSuspended: Bool { core.isSuspended }
}

extension ObservableType {
    /// Suspends the sources of this stream while `suspension` says so.
    ///
    /// ```swift
    /// numbers.suspended(by: suspension)
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// A source that can be suspended emits nothing meanwhile, and loses nothing; elements of another one, such as a subject, are buffered
    /// as `policy` allows. Terminal events are forwarded behind them. Source: [Reactive Streams, back
    /// pressure](https://www.reactive-streams.org).
    public func suspended(by suspension: Suspension, overflow policy: BufferingPolicy = .suspend(capacity: 256)) -> Observable<Element> {
        let (source, core) = (asObservable(), suspension.core)
        return Observable { downstream, lifetime in
            source.start(downstream, in: lifetime, suspendedBy: core, policy)
        }
    }

    /// Suspends the sources of this stream while the latest element of `isSuspended` is `true`.
    ///
    /// ```swift
    /// numbers.suspended(while: letters.map { $0 == "t" }, scheduler: scheduler)
    /// // numbers --1--2--3------4|
    /// // letters ---t-------f-----
    /// //         --1--------(23)4|        numbers is hot
    /// ```
    ///
    /// Unlike ``pausable(_:)`` it loses no element: a source that can be suspended emits nothing meanwhile, and elements of another one,
    /// such as a subject, are buffered as `policy` allows. Terminal events are forwarded behind them. The completion of `isSuspended`
    /// resumes, its error is forwarded. Sources resume on `scheduler`, not where `isSuspended` emits: an observer may make it emit again.
    /// Source: [Reactive Streams, back pressure](https://www.reactive-streams.org).
    public func suspended(
        while isSuspended: some ObservableConvertibleType<Bool>, overflow policy: BufferingPolicy = .suspend(capacity: 256),
        scheduler: any Scheduler
    ) -> Observable<Element> {
        let (source, isSuspended) = (asObservable(), isSuspended.asObservable())
        return Observable { downstream, lifetime in
            let serializer = SharedSerializer(lifetime)
            let emit: @Sendable (consuming Event<Element>) -> Void = { event in downstream.on(event) }
            let core = SuspensionCore(resumingOn: scheduler)
            isSuspended.subscribe(in: lifetime.independentChild()) { event in
                switch event {
                case .next(true): core.suspend()
                case .next(false), .completed: core.resume()
                case .error(let error): serializer.perform(.error(error), emit)
                }
            }
            guard !lifetime.isDisposed else { return }
            let serialized = AnyObserver<Element>.receiving { event in serializer.perform(event.take(), emit) }
            source.start(serialized, in: lifetime, suspendedBy: core, policy)
        }
    }
}
