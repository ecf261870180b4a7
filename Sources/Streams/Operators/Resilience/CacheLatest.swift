import Schedulers

extension ObservableType {
    /// Emits the latest element again for `time`, instead of subscribing upstream; concurrent subscribers share one subscription.
    ///
    /// ```swift
    /// let cached = request.cacheLatest(for: .seconds(5), scheduler: scheduler)
    /// let twice = cached.concat(cached)
    /// // --1|
    /// // --1(1|)        the second subscription receives the stored element
    /// ```
    ///
    /// An element is stored when it is emitted. It stays if its subscribers are disposed before the stream terminates, as `first()` does.
    /// An error is not stored, and it removes the element that the stream has emitted before. An element that is too old is released with
    /// the next one. Use a ``LatestCache`` to store elements by keys, to limit their number, or to read the figures.
    ///
    /// - Parameters:
    ///   - time: how long an element is used; if it is zero or negative, only concurrent subscribers share an element.
    ///   - scheduler: the scheduler that measures the time.
    ///
    /// Source: [RxJava, ReplayingShare](https://github.com/JakeWharton/RxReplayingShare), with a time.
    @inlinable
    public func cacheLatest(for time: Duration, scheduler: any Scheduler) -> Observable<Element> {
        let cached = CachedSource(asObservable(), for: time, scheduler) {}
        return Observable { downstream, lifetime in cached.shared.subscribe(downstream, lifetime) }
    }
}

/// A source whose latest element is used again for some time, and the only subscription to it.
@usableFromInline
final class CachedSource<Element: Sendable>: Sendable {
    @usableFromInline let shared: SharedSource<RecentElements<Element>>
    @usableFromInline let stored: StoredElement<Element>

    @inlinable
    init(
        _ source: Observable<Element>, for time: Duration, _ scheduler: any Scheduler,
        onMiss: @escaping @Sendable () -> Void
    ) {
        let time = max(.zero, time.clamped)
        let stored = StoredElement<Element>(nil)
        self.stored = stored
        // Only one connection at a time looks the element up, so its subscribers need no agreement of their own.
        let cached = Observable<Element>.deferred {
            if let element = stored.element(youngerThan: time, at: scheduler.now) { return .just(element) }
            onMiss()
            return source.do(onNext: { stored.store(($0, scheduler.now)) }, onError: { _ in stored.store(nil) })
        }
        shared = SharedSource(cached, RecentElements(limit: 1, window: time), isKept: false, clock: { scheduler.now })
    }
}
