import Schedulers

/// A subject that sends the latest elements again to whoever subscribes: at most so many, and none older than so long.
///
/// After a terminal event subscribers get the kept elements and that event. Its memory is what it was made to keep.
///
/// Source: [ReactiveX, Replay](https://reactivex.io/documentation/operators/replay.html).
public final class ReplaySubject<Element: Sendable>: ObservableType, ObserverType {
    private let holding: HoldingCore<RecentElements<Element>>
    /// How many more elements there is room for, where one too many is an error.
    private let room: Lock<Int>?
    private let capacity: Int

    /// Makes a subject that keeps the last `count` elements.
    public init(bufferSize count: Int) {
        holding = HoldingCore(RecentElements(limit: count, window: nil))
        room = nil
        capacity = count
    }

    /// Makes a subject that keeps what `policy` allows: everything, the last elements (`dropOldest`), the first ones (`dropNewest`), or as
    /// many as there is room for, after which one more ends the subject with `StreamError.overflow` (`fail`).
    ///
    /// Those who are subscribed get every element, whatever is kept for later subscribers.
    public init(overflow policy: BufferingPolicy) {
        switch policy {
        case .unbounded:
            holding = HoldingCore(RecentElements(limit: .max, window: nil))
            room = nil
            capacity = .max
        case .bounded(let limit, let overflow):
            capacity = Swift.max(1, limit)
            holding = HoldingCore(RecentElements(limit: capacity, window: nil, keepsFirst: overflow == .dropNewest))
            room = overflow == .fail ? Lock(capacity) : nil
        }
    }

    /// Makes a subject that keeps the elements of the last `window`, at most `count`, by the clock of `scheduler`.
    public init(window: Duration, bufferSize count: Int = .max, scheduler: any Scheduler) {
        holding = HoldingCore(RecentElements(limit: count, window: window), clock: scheduler)
        room = nil
        capacity = count
    }

    /// A subject that keeps everything: its memory grows with the stream.
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(bufferSize: .max)
    }

    public func on(_ event: Event<Element>) {
        holding.accept(event.isStopEvent || hasRoom() ? event : .error(StreamError.overflow(capacity: capacity)))
    }

    private func hasRoom() -> Bool {
        room?.withLock { left in
            left -= 1
            return left >= 0
        } ?? true
    }

    public func asObservable() -> Observable<Element> {
        let holding = holding
        return Observable { downstream, lifetime in holding.addReplaying(downstream, lifetime) }
    }

    deinit {
        holding.abandon()
    }
}
