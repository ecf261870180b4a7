/// A scheduler whose time passes only when the test lets it, and the test sources and observers that live in that time.
///
/// ```swift
/// let scheduler = TestScheduler()
/// let source = try scheduler.hot("--1--2--3--|", of: Int.self)
/// scheduler.start { source.map { $0 * 2 } }
///     .expect("--2--4--6--|")
/// source.expectSubscriptions("^----------!")
/// ```
///
/// Time is `Duration` since the scheduler's origin. Where an integer stands for a time it counts **ticks of one second**, and one column
/// of a marble diagram is one tick. Actions run on the thread that advances the time.
/// Source: [RxSwift, TestScheduler](https://github.com/ReactiveX/RxSwift/blob/main/RxTest/Schedulers/TestScheduler.swift).
public final class TestScheduler: Scheduler {
    /// What an integer counts: one second.
    public static let tick = Duration.seconds(1)

    private let time = VirtualTimeScheduler()

    /// Makes a scheduler at time zero.
    public init() {}

    public var now: Duration { time.now }

    /// Whether nothing is scheduled.
    public var isIdle: Bool { time.isIdle }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(action)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(after: delay, action)
    }

    /// Runs `action` at a tick; at once when time next advances, if that tick has passed.
    @discardableResult
    public func schedule(at tick: Int, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(after: Self.tick * tick - now, action)
    }

    /// Runs what is due until `time`, and stands there afterwards.
    public func advance(to time: Duration) {
        self.time.advance(to: time)
    }

    /// Runs what is due until a tick, and stands there afterwards.
    public func advance(to tick: Int) {
        advance(to: Self.tick * tick)
    }

    /// Lets `duration` pass.
    public func advance(by duration: Duration) {
        time.advance(by: duration)
    }

    /// Lets ticks pass.
    public func advance(by ticks: Int) {
        advance(by: Self.tick * ticks)
    }

    /// Runs everything that is scheduled. Never returns while something is scheduled again and again; `advance(to:)` is for such.
    public func run() {
        time.run()
    }
}

extension TestScheduler {
    /// Makes a stream at one tick, subscribes at another, disposes at a third, and gives what was observed.
    ///
    /// What is due at a tick happens before that: an event that a hot source sends at the tick of the subscription is missed, and one at
    /// the tick of the disposal is seen.
    public func start<Source: ObservableType>(
        created: Int = 0, subscribed: Int = 0, disposed: Int = 1_000, _ make: () throws -> Source
    ) rethrows -> TestObserver<Source.Element> {
        try start(created: Self.tick * created, subscribed: Self.tick * subscribed, disposed: Self.tick * disposed, make)
    }

    /// Makes a stream at one time, subscribes at another, disposes at a third, and gives what was observed.
    public func start<Source: ObservableType>(
        created: Duration, subscribed: Duration, disposed: Duration, _ make: () throws -> Source
    ) rethrows -> TestObserver<Source.Element> {
        let observer = observer(of: Source.Element.self)
        advance(to: created)
        let source = try make()
        advance(to: subscribed)
        let subscription = source.subscribe(observer)
        advance(to: disposed)
        subscription.dispose()
        return observer
    }

    /// Makes a stream, subscribes at the `^` of a diagram, disposes at its `!`, and gives what was observed.
    ///
    /// Throws a `MarbleSyntaxError`, or what `make` throws.
    public func start<Source: ObservableType>(
        _ marks: String, _ make: () throws -> Source
    ) throws -> TestObserver<Source.Element> {
        let interval = try MarbleDiagram<String>(marks).subscription
        return try start(
            created: .zero, subscribed: interval?.subscribed ?? .zero, disposed: interval?.disposed ?? Self.tick * 1_000, make)
    }

    /// An observer that writes down what comes, with the time of this scheduler.
    public func observer<Element>(of type: Element.Type) -> TestObserver<Element> {
        TestObserver(clock: self)
    }
}

extension TestScheduler {
    /// A source that sends its events at fixed times, whoever listens.
    public func hot<Element>(_ events: [Recorded<Element>]) -> HotTestObservable<Element> {
        HotTestObservable(events, scheduler: self)
    }

    /// A source that sends the events of a diagram at the ticks of their columns, whoever listens.
    ///
    /// Throws a `MarbleSyntaxError`.
    public func hot<Element>(
        _ diagram: String, of type: Element.Type = Element.self, values: [Character: Element] = [:],
        error: any Error = TestError.failed
    ) throws -> HotTestObservable<Element> {
        hot(try MarbleDiagram(diagram, values: values, error: error).events)
    }

    /// A source that sends its events to each subscriber anew, at times counted from its subscription.
    public func cold<Element>(_ events: [Recorded<Element>]) -> ColdTestObservable<Element> {
        ColdTestObservable(events, scheduler: self)
    }

    /// A source that sends the events of a diagram to each subscriber anew, counting the ticks from its subscription.
    ///
    /// Throws a `MarbleSyntaxError`.
    public func cold<Element>(
        _ diagram: String, of type: Element.Type = Element.self, values: [Character: Element] = [:],
        error: any Error = TestError.failed
    ) throws -> ColdTestObservable<Element> {
        cold(try MarbleDiagram(diagram, values: values, error: error).events)
    }
}
