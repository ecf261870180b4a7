import Schedulers

/// A subject that replays its latest elements to each new subscriber: at most a number of them, and none older than a time window.
///
/// After a terminal event subscribers receive the replayed elements and that event. Its memory is bounded by the replayed elements.
///
/// Source: [ReactiveX, Replay](https://reactivex.io/documentation/operators/replay.html).
public final class ReplaySubject<Element: Sendable>: ObservableType, ObserverType {
    @usableFromInline let core: ReplayCore<RecentElements<Element>>
    /// The maximum number of elements in total, if exceeding it is an error.
    @usableFromInline let capacity: Int?

    /// Creates a subject that replays the last `count` elements; a negative count means none.
    @inlinable
    public init(bufferSize count: Int) {
        core = ReplayCore(RecentElements(limit: count, window: nil))
        capacity = nil
    }

    /// Creates a subject whose replay buffer follows `policy`: it keeps everything, or the last elements (`dropOldest`), or the first ones
    /// (`dropNewest`), or it fails with `StreamError.overflow` when its capacity is exceeded (`fail`).
    ///
    /// Current subscribers receive every element, whichever elements are kept for later ones.
    @inlinable
    public init(overflow policy: BufferingPolicy) {
        var keepsFirst = false
        if case .dropNewest = policy { keepsFirst = true }
        core = ReplayCore(RecentElements(limit: policy.capacity, window: nil, keepsFirst: keepsFirst))
        if case .fail = policy { capacity = policy.capacity } else { capacity = nil }
    }

    /// Creates a subject that replays the elements of the last `window`, at most `count`, by the clock of `scheduler`. A negative window
    /// keeps nothing.
    @inlinable
    public init(window: Duration, bufferSize count: Int = .max, scheduler: any Scheduler) {
        core = ReplayCore(RecentElements(limit: count, window: window), clock: { scheduler.now })
        capacity = nil
    }

    /// Returns a subject that replays everything: its memory grows with the stream.
    @inlinable
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(bufferSize: .max)
    }

    /// Whether there are observers. A subscription or disposal made while an event is being delivered counts after the delivery.
    public var hasObservers: Bool { core.hasObservers }

    @inlinable
    public func on(_ event: Event<Element>) {
        guard let capacity, !event.isStopEvent else { return _ = core.accept(event) }
        guard !core.accept(event, unless: { $0.entries.count >= capacity }) else { return }
        core.accept(.error(StreamError.overflow(capacity: capacity)))
    }

    @inlinable
    public func asObservable() -> Observable<Element> {
        let core = core
        return Observable { downstream, lifetime in core.addReplaying(downstream, lifetime) }
    }

    deinit {
        core.abandon()
    }
}
