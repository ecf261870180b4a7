/// An observer that records every event with the time at which it was received.
///
/// Thread-safe. It does not filter: violations of the grammar are recorded as well.
public final class TestObserver<Element: Sendable>: ObserverType {
    private let clock: (any Scheduler)?
    private let recorded = Lock<[Recorded<Element>]>([])
    private let traced = Lock<Hooks.Place?>(nil)

    /// Creates an observer that reads the time of `clock`; without one all times are zero.
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

    /// The place where the chain that this observer subscribed to was built, if it has a `trace()`.
    public var tracedPlace: Hooks.Place? {
        traced.withLock { $0 }
    }

    /// All events, in order.
    public var events: [Recorded<Element>] {
        recorded.withLock { $0 }
    }

    /// All elements, in order.
    public var values: [Element] {
        events.compactMap(\.event.element)
    }

    /// Whether the stream has completed.
    public var isCompleted: Bool {
        events.contains { $0.event.isCompleted }
    }

    /// The error with which the stream has failed.
    public var error: (any Error)? {
        events.lazy.compactMap(\.event.error).first
    }

    /// Whether the stream has terminated, by completion or by an error.
    public var isStopped: Bool {
        events.contains { $0.event.isStopEvent }
    }
}
