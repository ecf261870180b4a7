import Schedulers

/// The lifetime of the elements replayed by `share(replay:scope:)`.
public enum SubjectLifetimeScope: Sendable {
    /// Each connection starts with an empty replay buffer.
    case whileConnected
    /// Elements are kept without subscribers and after termination.
    case forever
}

extension ObservableType {
    /// Shares one subscription to this stream among all subscribers: it is made for the first and disposed with the last.
    ///
    /// ```swift
    /// let quotes = numbers.share()
    /// // --1--2--|
    /// // --1--2--|        for all subscribers, from one subscription
    /// ```
    ///
    /// A subscriber either joins the current connection before its terminal event is accepted and receives all later events, or starts a
    /// new one.
    ///
    /// Source: [ReactiveX, RefCount](https://reactivex.io/documentation/operators/refcount.html).
    @inlinable
    public func share() -> Observable<Element> {
        asObservable()._share(NoElements())
    }

    /// Like ``share()``, but a new subscriber first receives the last `count` elements of the connection, or of all connections if `scope`
    /// is `forever`.
    ///
    /// ```swift
    /// let quotes = numbers.share(replay: 1)
    /// // --1--2--|
    /// // --1--2--|        a subscriber between the two receives 1 first
    /// ```
    ///
    /// Stores `count` elements. With `forever` the terminal event is kept too: later subscribers receive it, and the source is not
    /// subscribed to again. Source: [RxSwift, share(replay:scope:)](https://reactivex.io/documentation/operators/replay.html).
    @inlinable
    public func share(replay count: Int, scope: SubjectLifetimeScope = .whileConnected) -> Observable<Element> {
        guard count == 1, scope == .whileConnected else { return asObservable()._share(replay: count, scope) }
        return asObservable()._share(LatestElement(nil))
    }
}

extension Observable {
    @inlinable
    func _share(replay count: Int, _ scope: SubjectLifetimeScope) -> Observable<Element> {
        _share(RecentElements(limit: count, window: nil), isKept: scope == .forever)
    }

    @inlinable
    func _share<Held: ReplayBuffer<Element>>(_ held: Held, isKept: Bool = false) -> Observable<Element> {
        let shared = SharedSource(self, held, isKept: isKept)
        return Observable { downstream, lifetime in shared.subscribe(downstream, lifetime) }
    }
}
