/// A subject that sends the latest elements again to whoever subscribes: at most so many, and none older than so long.
///
/// After a terminal event subscribers get the kept elements and that event. Its memory is what it was made to keep.
///
/// Source: [ReactiveX, Replay](https://reactivex.io/documentation/operators/replay.html).
public final class ReplaySubject<Element: Sendable>: ObservableType, ObserverType {
    private let holding: HoldingCore<RecentElements<Element>>

    /// Makes a subject that keeps the last `count` elements.
    public init(bufferSize count: Int) {
        holding = HoldingCore(RecentElements(limit: count, window: nil))
    }

    /// Makes a subject that keeps the elements of the last `window`, at most `count`, by the clock of `scheduler`.
    public init(window: Duration, bufferSize count: Int = .max, scheduler: any Scheduler) {
        holding = HoldingCore(RecentElements(limit: count, window: window), clock: scheduler)
    }

    /// A subject that keeps everything: its memory grows with the stream.
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(bufferSize: .max)
    }

    public func on(_ event: Event<Element>) {
        holding.accept(event)
    }

    public func asObservable() -> Observable<Element> {
        let holding = holding
        return Observable { downstream, lifetime in holding.addReplaying(downstream, lifetime) }
    }

    deinit {
        holding.abandon()
    }
}
