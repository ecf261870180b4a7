/// An observer that writes down every event and the time at which it came.
///
/// Usable from any thread. It does not filter: what breaks the grammar is written down as well.
public final class TestObserver<Element: Sendable>: ObserverType {
    private let clock: (any Scheduler)?
    private let recorded = Lock<[Recorded<Element>]>([])
    private let traced = Lock<TracedPlace?>(nil)

    /// Makes an observer that looks at the time of `clock`; without one all times are zero.
    public init(clock: (any Scheduler)? = nil) {
        self.clock = clock
    }

    public func on(_ event: Event<Element>) {
        let entry = Recorded(time: clock?.now ?? .zero, event: event)
        recorded.withLock { $0.append(entry) }
    }

    public func attach(to source: Observable<Element>) -> any Disposable {
        let subscription = source.subscribe { event in self.on(event) }
        let place = (subscription as? Lifetime)?.tracedPlace
        traced.withLock { $0 = place }
        return subscription
    }

    /// Where the chain that this observer subscribed to was built, if it has a `trace()`.
    public var tracedPlace: TracedPlace? {
        traced.withLock { $0 }
    }

    /// Everything that came, in its order.
    public var events: [Recorded<Element>] {
        recorded.withLock { $0 }
    }

    /// The elements that came.
    public var values: [Element] {
        events.compactMap(\.event.element)
    }

    /// Whether the stream has completed.
    public var isCompleted: Bool {
        events.contains { $0.event.isCompleted }
    }

    /// The error that the stream has failed with.
    public var error: (any Error)? {
        events.lazy.compactMap(\.event.error).first
    }

    /// Whether the stream has ended, either way.
    public var isStopped: Bool {
        events.contains { $0.event.isStopEvent }
    }
}
