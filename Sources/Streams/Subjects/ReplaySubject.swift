import Schedulers

/// A subject that sends the latest elements again to whoever subscribes: at most so many, and none older than so long.
///
/// After a terminal event subscribers get the kept elements and that event. Its memory is what it was made to keep.
///
/// Source: [ReactiveX, Replay](https://reactivex.io/documentation/operators/replay.html).
public final class ReplaySubject<Element: Sendable>: ObservableType, ObserverType {
    private let holding: ReplayCore<RecentElements<Element>>
    /// How many elements there is room for in all, where one too many is an error.
    private let capacity: Int?

    /// Makes a subject that keeps the last `count` elements; none if it is negative.
    public init(bufferSize count: Int) {
        holding = ReplayCore(RecentElements(limit: count, window: nil))
        capacity = nil
    }

    /// Makes a subject that keeps what `policy` allows: everything, the last elements (`dropOldest`), the first ones (`dropNewest`), or as
    /// many as there is room for, after which one more ends the subject with `StreamError.overflow` (`fail`).
    ///
    /// Those who are subscribed get every element, whatever is kept for later subscribers.
    public init(overflow policy: BufferingPolicy) {
        var keepsFirst = false
        if case .dropNewest = policy { keepsFirst = true }
        holding = ReplayCore(RecentElements(limit: policy.capacity, window: nil, keepsFirst: keepsFirst))
        if case .fail = policy { capacity = policy.capacity } else { capacity = nil }
    }

    /// Makes a subject that keeps the elements of the last `window`, at most `count`, by the clock of `scheduler`. A negative window keeps
    /// nothing.
    public init(window: Duration, bufferSize count: Int = .max, scheduler: any Scheduler) {
        holding = ReplayCore(RecentElements(limit: count, window: window), clock: scheduler)
        capacity = nil
    }

    /// A subject that keeps everything: its memory grows with the stream.
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(bufferSize: .max)
    }

    public func on(_ event: Event<Element>) {
        guard let capacity else { return holding.accept(event) }
        holding.accept(event, capacity: capacity)
    }

    public func asObservable() -> Observable<Element> {
        let holding = holding
        return Observable { downstream, lifetime in holding.addReplaying(downstream, lifetime) }
    }

    deinit {
        holding.abandon()
    }
}
