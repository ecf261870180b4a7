import Schedulers

/// Turns equal requests that are in flight at the same time into one.
///
/// ```swift
/// let lookups = Collapser<String, User>()
/// let profile = user(named: "ada").collapse("ada", in: lookups)
/// lookups.metrics.subscribe(onNext: { print("\($0.requests) requests for \($0.subscriptions) subscriptions") }).disposed(by: bag)
/// ```
///
/// All requests of a kind share one collapser. You can use it from any thread.
/// Source: [Go, singleflight](https://pkg.go.dev/golang.org/x/sync/singleflight).
public final class Collapser<Key: Hashable & Sendable, Element: Sendable>: Sendable {
    /// The figures of a collapser.
    public struct Metrics: Equatable, Sendable {
        /// The number of subscriptions.
        public internal(set) var subscriptions = 0
        /// The number of requests that were started for them.
        public internal(set) var requests = 0
        /// The number of requests in flight.
        public internal(set) var inFlight = 0

        @usableFromInline static func none() -> Self { Self() }

        @usableFromInline mutating func countSubscription() { subscriptions += 1 }
        @usableFromInline mutating func beginRequest() { (requests, inFlight) = (requests + 1, inFlight + 1) }
        @usableFromInline mutating func endRequest() { inFlight -= 1 }
    }

    @usableFromInline let requests: KeyedObjects<Key, SharedSource<RecentElements<Element>>>
    @usableFromInline let state: MeasuredState<Metrics>

    /// Creates a collapser without requests.
    @inlinable
    public init() {
        requests = KeyedObjects()
        state = MeasuredState(Metrics.none())
    }

    /// The current figures, and then each change of them, on the thread of the change. Never terminates.
    public var metrics: Observable<Metrics> { state.figures { $0 } }

    /// The current figures.
    public var currentMetrics: Metrics { state.read { $0 } }

    @inlinable
    func subscribe(to source: Observable<Element>, _ key: Key, _ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        state.update { $0.countSubscription() }
        let entry = requests.use(key) { SharedSource(counted(source), RecentElements(limit: .max, window: nil), isKept: false) }
        lifetime.add { [requests] in requests.release(entry) }
        entry.object.subscribe(downstream, lifetime)
    }

    @inlinable
    func counted(_ source: Observable<Element>) -> Observable<Element> {
        Observable { [state] downstream, lifetime in
            state.update { $0.beginRequest() }
            lifetime.add { state.update { $0.endRequest() } }
            source.start(downstream, lifetime)
        }
    }
}

extension ObservableType {
    /// Joins a request with an equal key that is in flight; otherwise subscribes upstream. The request is disposed with its last
    /// subscriber.
    ///
    /// ```swift
    /// letters.flatMap { load($0).collapse($0, in: requests) }
    /// // -aa---b---|
    /// // ----(aa)-b|        two requests for three subscriptions
    /// ```
    ///
    /// A subscriber that joins later first receives the elements that the request has emitted so far; they are stored until the request
    /// ends. Streams with equal keys must be equal: the stream of the first subscriber is used. Subscriptions are independent: when one is
    /// disposed, the others continue. Without a key, ``share()`` does this for one stream. Source: [Go,
    /// singleflight](https://pkg.go.dev/golang.org/x/sync/singleflight).
    @inlinable
    public func collapse<Key: Hashable & Sendable>(_ key: Key, in collapser: Collapser<Key, Element>) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in collapser.subscribe(to: source, key, downstream, lifetime) }
    }
}
