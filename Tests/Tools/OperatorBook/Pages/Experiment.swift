import OperatorCatalogue
import StreamsTesting
import Synchronization

/// One run of a use of an operator over two hot sources under virtual time. They emit between two ticks, and timers of operators end at ticks:
/// what an operator does at its next timer is not at the same time.
struct Experiment {
    /// How a source ends, and when.
    struct End {
        let tick: Int
        var error: TestError?
    }

    /// When the elements of the source and of the other stream are emitted.
    static let elements = (source: [2, 4, 6], other: [3, 5])
    static let horizon = 60

    private(set) var output: [Recorded<Probed>] = []
    private(set) var source: [TestScheduler.Subscription] = []
    private(set) var other: [TestScheduler.Subscription] = []
    /// The closures of the operator that ran.
    private(set) var closures: [Int] = []
    /// Whether elements were emitted while a source emitted, and whether some were at another time.
    private(set) var emitsSynchronously = false
    private(set) var emitsLater = false

    init(
        _ use: OperatorRow, source sourceEnd: End = End(tick: 8), other otherEnd: End = End(tick: 20), failing closure: Int? = nil,
        disposed: Int = horizon
    ) {
        let scheduler = TestScheduler()
        let user = UserCode()
        if let closure { user.fail(in: closure, with: TestError("closure")) }
        let sources = Self.events(user, Self.elements.source, from: 1, sourceEnd)
        let others = Self.events(user, Self.elements.other, from: 11, otherEnd)
        let (first, second) = (scheduler.hot(sources), scheduler.hot(others))
        let places = Places()
        let upstreams = Upstreams(
            source: Self.marked(first, places), other: Self.marked(second, places), user: user, scheduler: scheduler)
        let observer = scheduler.start(created: .zero, subscribed: .zero, disposed: Self.time(disposed)) {
            use.apply(upstreams).do(onNext: { _ in places.noteElement() })
        }
        (output, source, other) = (observer.events, first.subscriptions, second.subscriptions)
        closures = user.calls.keys.sorted()
        emitsSynchronously = places.noted.contains(true)
        emitsLater = places.noted.contains(false)
    }

    /// When the output terminated, in ticks, and with which event.
    var end: (tick: Int, event: Event<Probed>)? {
        output.last.flatMap { $0.event.isStopEvent ? (Self.tick($0.time), $0.event) : nil }
    }

    var failure: TestError? {
        end?.event.error as? TestError
    }

    /// Whether a source was subscribed to until a tick, or longer.
    static func isSubscribed(_ intervals: [TestScheduler.Subscription], at tick: Int) -> Bool {
        intervals.contains { $0.disposed.map { $0 >= time(tick) } ?? true }
    }

    /// Whether the last subscription to a source ended at a tick.
    static func isDisposed(_ intervals: [TestScheduler.Subscription], at tick: Int) -> Bool {
        intervals.last?.disposed == time(tick)
    }

    private static func tick(_ time: Duration) -> Int { Int(time / TestScheduler.tick) }

    private static func time(_ tick: Int) -> Duration { TestScheduler.tick * tick + TestScheduler.tick / 2 }

    private static func events(_ user: UserCode, _ ticks: [Int], from first: Int, _ end: End) -> [Recorded<Probed>] {
        let elements = ticks.enumerated().filter { $0.element < end.tick }.map {
            Recorded.next(at: time($0.element), user.element(first + $0.offset))
        }
        return elements + [end.error.map { .error(at: time(end.tick), $0) } ?? .completed(at: time(end.tick))]
    }

    private static func marked(_ source: TestScheduler.HotObservable<Probed>, _ places: Places) -> Observable<Probed> {
        source.do(onNext: { _ in places.set(isEmitting: true) }, afterNext: { _ in places.set(isEmitting: false) })
    }
}

/// Whether the elements of a run were emitted while a source emitted.
private final class Places: Sendable {
    private let state = Mutex((isEmitting: false, noted: [Bool]()))

    var noted: [Bool] { state.withLock { $0.noted } }

    func set(isEmitting: Bool) {
        state.withLock { $0.isEmitting = isEmitting }
    }

    func noteElement() {
        state.withLock { $0.noted.append($0.isEmitting) }
    }
}
