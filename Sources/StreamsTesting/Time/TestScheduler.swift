import Schedulers
import Streams

/// A scheduler whose time your test advances, with the test sources and observers of that time.
///
/// ```swift
/// let scheduler = TestScheduler()
/// let source = try scheduler.hot("--1--2--3--|", of: Int.self)
/// scheduler.start { source.map { $0 * 2 } }
///     .expect("--2--4--6--|")
/// source.expectSubscriptions("^----------!")
/// ```
///
/// Time is a `Duration` since the scheduler's origin. Integers count **ticks of one second**, and one column
/// of a marble diagram is one tick. Actions run on the thread that advances the time.
/// Source: [RxSwift, TestScheduler](https://github.com/ReactiveX/RxSwift/blob/main/RxTest/Schedulers/TestScheduler.swift).
public final class TestScheduler: RepeatingScheduler {
    /// The unit of integer times: one second.
    public static let tick = Duration.seconds(1)

    private let time = VirtualTimeScheduler()

    /// Creates a scheduler at time zero.
    public init() {}

    public var now: Duration { time.now }

    /// Whether no action is scheduled.
    public var isIdle: Bool { time.isIdle }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(action)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(after: delay, action)
    }

    package func schedule(after delay: Duration, every period: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(after: delay, every: period, action)
    }

    /// Runs `action` at a tick; if that tick has passed, as soon as time next advances.
    @discardableResult
    public func schedule(at tick: Int, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(after: Self.tick * tick - now, action)
    }

    /// Runs the actions due until `time` and sets the clock to it.
    public func advance(to time: Duration) {
        self.time.advance(to: time)
    }

    /// Runs the actions due until a tick and sets the clock to it.
    public func advance(to tick: Int) {
        advance(to: Self.tick * tick)
    }

    /// Advances the time by `duration`.
    public func advance(by duration: Duration) {
        time.advance(by: duration)
    }

    /// Advances the time by a number of ticks.
    public func advance(by ticks: Int) {
        advance(by: Self.tick * ticks)
    }

    /// Runs all scheduled actions. Never returns while actions keep scheduling others; use `advance(to:)` for those.
    public func run() {
        time.run()
    }

    /// Ends the running advance or run after the current action, at its time. The next one continues from there.
    public func stop() {
        time.stop()
    }

    /// Sets the clock ahead by `duration` without running the actions that become due: they are late, and run at the next advance.
    public func sleep(_ duration: Duration) {
        time.sleep(duration)
    }

    /// Sets the clock ahead by a number of ticks without running the actions that become due.
    public func sleep(_ ticks: Int) {
        sleep(Self.tick * ticks)
    }
}

extension TestScheduler {
    /// Creates a stream at one tick, subscribes at another, disposes at a third, and returns the recorded events.
    ///
    /// Actions that are due at a tick run before the subscription or the disposal at that tick: an event that a hot source emits at the
    /// tick of the subscription is missed, and one at the tick of the disposal is recorded.
    public func start<Source: ObservableConvertibleType>(
        created: Int = 0, subscribed: Int = 0, disposed: Int = 1_000, _ make: () throws -> Source
    ) rethrows -> TestObserver<Source.Element> {
        try start(created: Self.tick * created, subscribed: Self.tick * subscribed, disposed: Self.tick * disposed, make)
    }

    /// Creates a stream at one time, subscribes at another, disposes at a third, and returns the recorded events.
    public func start<Source: ObservableConvertibleType>(
        created: Duration, subscribed: Duration, disposed: Duration, _ make: () throws -> Source
    ) rethrows -> TestObserver<Source.Element> {
        let observer = observer(of: Source.Element.self)
        advance(to: created)
        let source = try make()
        advance(to: subscribed)
        let subscription = source.asObservable().subscribe(observer)
        advance(to: disposed)
        subscription.dispose()
        return observer
    }

    /// Creates a stream, subscribes at the `^` of a diagram, disposes at its `!`, and returns the recorded events.
    ///
    /// Throws a `Marble.SyntaxError`, or the error that `make` throws.
    public func start<Source: ObservableConvertibleType>(
        _ marks: String, _ make: () throws -> Source
    ) throws -> TestObserver<Source.Element> {
        let interval = try Marble.Diagram<String>(marks).subscription
        return try start(
            created: .zero, subscribed: interval?.subscribed ?? .zero, disposed: interval?.disposed ?? Self.tick * 1_000, make)
    }

    /// Returns an observer that records events with the time of this scheduler.
    public func observer<Element>(of type: Element.Type) -> TestObserver<Element> {
        TestObserver(clock: self)
    }
}

extension TestScheduler {
    /// Returns a source that emits its events at fixed times, with or without subscribers.
    public func hot<Element>(_ events: [Recorded<Element>]) -> HotObservable<Element> {
        HotObservable(events, scheduler: self)
    }

    /// Returns a source that emits the events of a diagram at the ticks of their columns, with or without subscribers.
    ///
    /// Throws a `Marble.SyntaxError`.
    public func hot<Element>(
        _ diagram: String, of type: Element.Type = Element.self, values: [Character: Element] = [:],
        error: any Error = TestError.failed
    ) throws -> HotObservable<Element> {
        hot(try Marble.Diagram(diagram, values: values, error: error).events)
    }

    /// Returns a source that emits its events anew for each subscriber, at times relative to the subscription.
    public func cold<Element>(_ events: [Recorded<Element>]) -> ColdObservable<Element> {
        ColdObservable(events, scheduler: self)
    }

    /// Returns a source that emits the events of a diagram anew for each subscriber, at ticks relative to the subscription.
    ///
    /// Throws a `Marble.SyntaxError`.
    public func cold<Element>(
        _ diagram: String, of type: Element.Type = Element.self, values: [Character: Element] = [:],
        error: any Error = TestError.failed
    ) throws -> ColdObservable<Element> {
        cold(try Marble.Diagram(diagram, values: values, error: error).events)
    }
}

/// Drivers and signals under virtual time.
public enum SharingScheduler {
    /// Runs `action` with drivers and signals delivered on `scheduler` and not on the main loop; their delays and intervals are measured
    /// there too.
    ///
    /// ```swift
    /// let scheduler = TestScheduler()
    /// try SharingScheduler.mock(scheduler: scheduler) {
    ///     let query = try scheduler.hot("-a-b|", of: String.self).asDriver(onErrorJustReturn: "")
    ///     scheduler.start { query.debounce(.seconds(3)) }.expect("----(b|)")
    /// }
    /// ```
    ///
    /// Streams that are built or subscribed to while `action` runs use that scheduler, so advance the time in `action` too. Only the
    /// calling task is affected, so tests may run concurrently. Source: [RxSwift,
    /// SharedSequence](https://github.com/ReactiveX/RxSwift/blob/main/RxCocoa/Traits/SharedSequence/SchedulerType%2BSharedSequence.swift).
    @MainActor
    public static func mock<Result>(scheduler: any Scheduler, action: () throws -> Result) rethrows -> Result {
        try MainLoopDelivery.$mock.withValue(scheduler, operation: action)
    }
}

// Names of RxTest that are not declared here, so that the compiler can name the replacement.

extension TestScheduler {
    /// RxTest's initializer.
    @available(*, unavailable, message: "time begins at zero: TestScheduler()")
    public convenience init(initialClock: Int) { unavailable() }

    /// RxTest's `createObserver(_:)`.
    @available(*, unavailable, renamed: "observer(of:)")
    public func createObserver<Element>(_ type: Element.Type) -> TestObserver<Element> { unavailable() }

    /// RxTest's `createHotObservable(_:)`.
    @available(*, unavailable, renamed: "hot(_:)")
    public func createHotObservable<Element>(_ events: [Recorded<Element>]) -> HotObservable<Element> { unavailable() }

    /// RxTest's `createColdObservable(_:)`.
    @available(*, unavailable, renamed: "cold(_:)")
    public func createColdObservable<Element>(_ events: [Recorded<Element>]) -> ColdObservable<Element> { unavailable() }

    /// RxTest's `scheduleAt(_:action:)`.
    @available(*, unavailable, renamed: "schedule(at:_:)")
    public func scheduleAt(_ time: Int, action: @escaping @Sendable () -> Void) { unavailable() }

    /// RxTest's `start()`.
    @available(*, unavailable, renamed: "run()")
    public func start() { unavailable() }
}
