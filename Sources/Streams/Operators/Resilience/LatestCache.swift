import Foundation
import Schedulers

/// Stores the latest element of each request for some time, by key, and shares the requests in flight.
///
/// ```swift
/// let profiles = LatestCache<String, User>(for: .seconds(60), capacity: 500)
/// let profile = user(named: "ada").cacheLatest("ada", in: profiles)
/// profiles.metrics.subscribe(onNext: { print("\($0.hits) hits, \($0.misses) misses") }).disposed(by: bag)
/// profiles.remove("ada")          // after a change
/// ```
///
/// All requests of a kind share one cache. You can use it from any thread. Elements that are too old are released when the cache is next
/// used. Source: [RxJava, ReplayingShare](https://github.com/JakeWharton/RxReplayingShare), with keys and a time.
public final class LatestCache<Key: Hashable & Sendable, Element: Sendable>: Sendable {
    /// The figures of a cache.
    public struct Metrics: Equatable, Sendable {
        /// The number of elements that may be stored.
        public let capacity: Int
        /// The number of elements that are stored.
        public internal(set) var count = 0
        /// The number of subscriptions.
        public internal(set) var subscriptions = 0
        /// The number of requests that were started for them.
        public internal(set) var misses = 0
        /// The number of elements that were dropped because others needed their place.
        public internal(set) var evicted = 0
        /// The number of subscriptions that needed no request of their own: they received a stored element, or joined a request in flight.
        public var hits: Int { subscriptions - misses }

        @usableFromInline static func none(of capacity: Int) -> Self { Self(capacity: capacity) }

        @usableFromInline mutating func countSubscription() { subscriptions += 1 }
        @usableFromInline mutating func countMiss() { misses += 1 }
        @usableFromInline mutating func countEviction() { evicted += 1 }
        @usableFromInline mutating func setCount(_ count: Int) { self.count = count }
    }

    @usableFromInline typealias Entry = KeyedObjects<Key, CachedSource<Element>>.Entry

    @usableFromInline
    struct State {
        @usableFromInline var metrics: Metrics
        /// The entries that have an element.
        @usableFromInline var kept: [ObjectIdentifier: (ticket: Int, entry: Entry)] = [:]
        /// The tickets of these entries and the times at which they got them; the oldest first. Tickets of removed entries stay until their
        /// turn.
        @usableFromInline var line = ElementQueue<(ticket: Int, identifier: ObjectIdentifier, time: Duration)>()
        @usableFromInline var lastTicket = 0

        @inlinable
        init(metrics: Metrics) {
            self.metrics = metrics
        }

        @inlinable
        mutating func keep(_ entry: Entry, at now: Duration) -> Bool {
            let identifier = ObjectIdentifier(entry)
            guard kept[identifier] == nil else { return false }
            lastTicket += 1
            kept[identifier] = (lastTicket, entry)
            line.append((lastTicket, identifier, now))
            metrics.setCount(kept.count)
            return true
        }

        @inlinable
        mutating func forget(_ identifier: ObjectIdentifier) -> Entry? {
            defer { metrics.setCount(kept.count) }
            return kept.removeValue(forKey: identifier)?.entry
        }

        /// Removes and returns the first entry of the queue if it is too old or exceeds the capacity, and has not received another element
        /// meanwhile.
        @inlinable
        mutating func takeOutdated(at now: Duration, _ time: Duration) -> Entry? {
            while let first = line.first {
                let isOneTooMany = kept.count > metrics.capacity || line.count / 2 > metrics.capacity
                guard isOneTooMany || now - first.time >= time else { return nil }
                _ = line.popFirst()
                guard let (ticket, entry) = kept[first.identifier], ticket == first.ticket else { continue }
                if !isOneTooMany, let latest = entry.object.stored.time(), now - latest < time {
                    line.append((ticket, first.identifier, latest))
                    continue
                }
                if isOneTooMany { metrics.countEviction() }
                return forget(first.identifier)
            }
            return nil
        }
    }

    @usableFromInline let entries: KeyedObjects<Key, CachedSource<Element>>
    @usableFromInline let state: MeasuredState<State>
    @usableFromInline let time: Duration
    @usableFromInline let scheduler: any Scheduler

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - time: how long an element is used; if it is zero or negative, only concurrent subscribers share an element.
    ///   - capacity: how many elements are stored; beyond it the element that was stored first is dropped. Values below one are treated as
    ///     one.
    ///   - scheduler: the scheduler that measures the time.
    @inlinable
    public init(
        for time: Duration, capacity: Int = 1_000,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        self.time = max(.zero, time.clamped)
        self.scheduler = scheduler
        entries = KeyedObjects()
        state = MeasuredState(State(metrics: .none(of: max(1, capacity))))
    }

    /// The current figures, and then each change of them, on the thread of the change. Never terminates.
    public var metrics: Observable<Metrics> { state.figures { $0.metrics } }

    /// The current figures.
    public var currentMetrics: Metrics { state.read { $0.metrics } }

    /// Forgets the element of a key. A request for it that is in flight still serves its subscribers, but its element is not stored.
    public func remove(_ key: Key) {
        if let entry = entries.remove(key) { forget([entry]) }
    }

    /// Forgets all elements, like ``remove(_:)``.
    public func removeAll() {
        forget(entries.removeAll())
    }

    @inlinable
    func subscribe(to source: Observable<Element>, _ key: Key, _ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        state.update { $0.metrics.countSubscription() }
        dropOutdated()
        let entry = entries.use(key) {
            CachedSource(source, for: time, scheduler) { [weak state] in state?.update { $0.metrics.countMiss() } }
        }
        lifetime.add { [entries] in entries.release(entry) }
        entry.object.shared.subscribe(
            AnyObserver.receiving { [self] event in
                let event = event.take()
                if !event.isStopEvent { keep(entry) } else if event.error != nil { forget([entry]) }
                downstream.on(event)
            }, lifetime)
    }

    /// Keeps an entry that has an element, even if it has no subscribers any more.
    @inlinable
    func keep(_ entry: Entry) {
        let now = scheduler.now
        guard time > .zero, entries.use(entry) else { return }
        guard state.update({ $0.keep(entry, at: now) }) else { return entries.release(entry) }
        dropOutdated()
    }

    /// Releases, outside the lock, the elements that are too old or exceed the capacity.
    @inlinable
    func dropOutdated() {
        let now = scheduler.now
        while let entry = state.update({ $0.takeOutdated(at: now, time) }) { drop(entry) }
    }

    @inlinable
    func forget(_ removed: [Entry]) {
        for entry in removed {
            if let kept = state.update({ $0.forget(ObjectIdentifier(entry)) }) { drop(kept) } else { entry.object.stored.store(nil) }
        }
    }

    @inlinable
    func drop(_ entry: Entry) {
        entry.object.stored.store(nil)
        entries.release(entry)
    }
}

extension ObservableType {
    /// Emits the element that `cache` holds for a key; otherwise subscribes upstream. Concurrent subscribers share one subscription.
    ///
    /// ```swift
    /// letters.flatMap { load($0).cacheLatest($0, in: cache) }
    /// // -a-----a----a----|
    /// // ----a--a-------a-|        each request takes three seconds, and its element is stored for five
    /// ```
    ///
    /// Otherwise like ``cacheLatest(for:scheduler:)``. Streams with equal keys must be equal: the stream of the first subscriber is used.
    /// Source: [RxJava, ReplayingShare](https://github.com/JakeWharton/RxReplayingShare), with keys and a time.
    @inlinable
    public func cacheLatest<Key: Hashable & Sendable>(_ key: Key, in cache: LatestCache<Key, Element>) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in cache.subscribe(to: source, key, downstream, lifetime) }
    }
}
