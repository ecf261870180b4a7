import StreamsTesting
import Testing

/// Every operator, subject and policy that takes a number or a time, with the values at the ends of what these can be.
@Suite("Extreme numbers and times", .countsResources)
struct ExtremeValues {
    static let counts = [Int.min, -1, 0, 1, Int.max]
    static let times: [Duration] = [
        Duration(secondsComponent: .min, attosecondsComponent: 0), .seconds(-5), .zero,
        Duration(secondsComponent: 0, attosecondsComponent: 1),
        Duration(secondsComponent: 0, attosecondsComponent: 1_500_000_000), .seconds(1), .nanoseconds(Int64.max), .seconds(Int64.max),
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ]

    /// An operator, applied to a source of three elements.
    struct Row<Value: Sendable>: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (Observable<Int>, Value, VirtualTimeScheduler) -> Observable<Int>

        init<Element>(_ name: String, _ apply: @escaping @Sendable (Observable<Int>, Value, VirtualTimeScheduler) -> Observable<Element>) {
            testDescription = name
            self.apply = { source, value, scheduler in apply(source, value, scheduler).map { _ in 0 } }
        }
    }

    static let counted: [Row<Int>] = [
        Row("take") { source, count, _ in source.take(count) },
        Row("takeLast") { source, count, _ in source.takeLast(count) },
        Row("skip") { source, count, _ in source.skip(count) },
        Row("skipLast") { source, count, _ in source.skipLast(count) },
        Row("element(at:)") { source, count, _ in source.element(at: count) },
        Row("nwise") { source, count, _ in source.nwise(count) },
        Row("distinct(capacity:)") { source, count, _ in source.distinct(capacity: count) },
        Row("buffer(count:)") { source, count, _ in source.buffer(count: count) },
        Row("buffer(count:skip:)") { source, count, _ in source.buffer(count: 2, skip: count) },
        Row("buffer(timeSpan:count:)") { source, count, time in source.buffer(timeSpan: .seconds(1), count: count, scheduler: time).take(3)
        },
        Row("window(count:)") { source, count, _ in source.window(count: count).flatMap { $0 } },
        Row("window(count:skip:)") { source, count, _ in source.window(count: 2, skip: count).flatMap { $0 } },
        Row("window(timeSpan:count:)") { source, count, time in
            source.window(timeSpan: .seconds(1), count: count, scheduler: time).take(3).flatMap { $0 }
        },
        Row("groupBy(bufferSize:)") { source, count, _ in source.groupBy(bufferSize: count) { $0 % 2 }.flatMap { $0 } },
        Row("flatMap(maxConcurrent:)") { source, count, _ in source.flatMap(maxConcurrent: count) { Observable.just($0) } },
        Row("merge(maxConcurrent:)") { source, count, _ in source.map { Observable.just($0) }.merge(maxConcurrent: count) },
        Row("merge(overflow:)") { source, count, _ in
            source.map { Observable.just($0) }.merge(maxConcurrent: 1, overflow: .dropOldest(capacity: count))
        },
        Row("concatMapEager(maxConcurrent:)") { source, count, _ in source.concatMapEager(maxConcurrent: count) { Observable.just($0) } },
        Row("expand(maxConcurrent:)") { source, count, _ in
            source.expand(maxConcurrent: count) { $0 < 9 ? Observable.just($0 + 3) : .empty() }
        },
        Row("retry") { source, count, _ in source.retry(count) },
        Row("retry(policy)") { source, count, time in
            source.concat(Observable.error(TestError.failed)).retry(.delay(.seconds(1), maxAttempts: min(count, 3)), scheduler: time)
        },
        Row("repeat") { source, count, _ in source.repeat(count: count).take(9) },
        Row("replay") { source, count, _ in source.replay(count).autoconnect() },
        Row("share(replay:)") { source, count, _ in source.share(replay: count) },
        Row("share(replay:scope:)") { source, count, _ in source.share(replay: count, scope: .forever) },
        Row("autoconnect") { source, count, _ in source.publish().autoconnect(min(count, 1)) },
        Row("intervalRange(count:)") { _, count, time in
            Observable.intervalRange(start: Int.max, count: count, initialDelay: .zero, period: .seconds(1), scheduler: time).take(3)
        },
        Row("observe(on:overflow: .dropOldest)") { source, count, time in
            source.observe(on: time, overflow: .dropOldest(capacity: count))
        },
        Row("observe(on:overflow:)") { source, count, time in
            source.observe(on: time, overflow: .dropNewest(capacity: count))
        },
        Row("create(overflow:)") { source, count, _ in
            .create(overflow: .fail(capacity: count)) { source.subscribe($0) }
        },
        Row("ReplaySubject(bufferSize:)") { source, count, _ in through(ReplaySubject(bufferSize: count), source) },
        Row("ReplaySubject(overflow:)") { source, count, _ in
            through(ReplaySubject(overflow: .dropNewest(capacity: count)), source)
        },
        Row("ReplayRelay(bufferSize:)") { source, count, _ in
            let relay = ReplayRelay<Int>(bufferSize: count)
            return source.do(onNext: { relay.accept($0) }).concat(relay.take(1).ifEmpty(default: 0).take(until: Observable.just(0)))
        },
    ]

    static let timed: [Row<Duration>] = [
        Row("timer") { _, span, time in Observable<Int>.timer(span, scheduler: time) },
        Row("timer(period:)") { _, span, time in Observable<Int>.timer(span, period: span, scheduler: time).take(3) },
        Row("interval") { _, span, time in Observable<Int>.interval(span, scheduler: time).take(3) },
        Row("intervalRange") { _, span, time in
            Observable.intervalRange(start: 0, count: 3, initialDelay: span, period: span, scheduler: time)
        },
        Row("delay") { source, span, time in source.delay(span, scheduler: time) },
        Row("delaySubscription") { source, span, time in source.delaySubscription(span, scheduler: time) },
        Row("debounce") { source, span, time in source.debounce(span, scheduler: time) },
        Row("throttle") { source, span, time in source.throttle(span, scheduler: time) },
        Row("throttle(latest: false)") { source, span, time in source.throttle(span, latest: false, scheduler: time) },
        Row("audit") { source, span, time in source.audit(span, scheduler: time) },
        Row("sample") { source, span, time in source.sample(span, scheduler: time).take(for: .nanoseconds(9), scheduler: time) },
        Row("timeout") { source, span, time in source.concat(Observable.never()).timeout(span, scheduler: time) },
        Row("timeout(other:)") { source, span, time in Observable.never().timeout(span, other: source, scheduler: time) },
        Row("take(for:)") { source, span, time in source.take(for: span, scheduler: time) },
        Row("skip(for:)") { source, span, time in source.skip(for: span, scheduler: time) },
        Row("takeLast(for:)") { source, span, time in source.takeLast(for: span, scheduler: time) },
        Row("buffer(timeSpan:)") { source, span, time in
            source.concat(Observable.never()).buffer(timeSpan: span, scheduler: time).take(3)
        },
        Row("window(timeSpan:)") { source, span, time in
            source.concat(Observable.never()).window(timeSpan: span, scheduler: time).take(3).flatMap { $0 }
        },
        Row("retry(.delay)") { source, span, time in failing(source).retry(.delay(span, maxAttempts: 3), scheduler: time) },
        Row("retry(.linear)") { source, span, time in failing(source).retry(.linear(step: span, cap: span, maxAttempts: 3), scheduler: time)
        },
        Row("retry(.exponential)") { source, span, time in
            failing(source).retry(.exponential(initial: span, cap: span, maxAttempts: 3), scheduler: time)
        },
        Row("ReplaySubject(window:)") { source, span, time in through(ReplaySubject(window: span, scheduler: time), source) },
        Row("ReplaySubject(window:bufferSize:)") { source, span, time in
            through(ReplaySubject(window: span, bufferSize: 0, scheduler: time), source)
        },
    ]

    private static func failing(_ source: Observable<Int>) -> Observable<Int> {
        source.concat(Observable.error(TestError.failed))
    }

    /// `source` through a subject, and then what that keeps.
    private static func through(_ subject: ReplaySubject<Int>, _ source: Observable<Int>) -> Observable<Int> {
        source.do(onNext: { subject.onNext($0) }, onCompleted: { subject.onCompleted() }).concat(subject)
    }

    @Test(arguments: counted) func `A count of any size is accepted or clamped`(row: Row<Int>) {
        for count in Self.counts { expectEnd(row, count) }
    }

    @Test(arguments: timed) func `A delay of any length passes, or is never reached`(row: Row<Duration>) {
        for time in Self.times { expectEnd(row, time, mayStayQuiet: true) }
    }

    /// Runs to the end of virtual time, and looks that it gets there, and that the stream has ended unless it waits for what never comes.
    private func expectEnd<Value>(_ row: Row<Value>, _ value: Value, mayStayQuiet: Bool = false) {
        let scheduler = VirtualTimeScheduler()
        let isOver = Lock(false)
        let source = Observable.of(1, 2, 3)
        let subscription = row.apply(source, value, scheduler).subscribe { event in
            if event.isStopEvent { isOver.withLock { $0 = true } }
        }
        scheduler.advance(by: .nanoseconds(10))
        scheduler.advance(by: .seconds(10))
        scheduler.run()
        scheduler.advance(to: .seconds(Int64.max))
        #expect(mayStayQuiet || isOver.withLock { $0 }, "\(row.testDescription) of \(value)")
        subscription.dispose()
    }

    @Test func `A policy's numbers of any kind give a finite delay that is not negative`() {
        let numbers = [Double.nan, .infinity, -.infinity, -1, 0, .leastNonzeroMagnitude, 1, 1e308]
        for number in numbers {
            for time in Self.times {
                var policy = RetryPolicy.exponential(initial: time, factor: number, cap: time, jitter: number, maxAttempts: .max)
                policy.random = { number }
                for failures in [Int.min, -1, 0, 1, Int.max - 1] {
                    let wait = policy.delay(after: TestError.failed, failures: failures)
                    #expect(wait.map { $0 >= .zero } ?? false, "\(number) \(time) \(failures)")
                }
            }
        }
    }

    @Test func `A delay below a nanosecond fires once, and not early`() {
        let scheduler = VirtualTimeScheduler()
        let half = Duration(secondsComponent: 0, attosecondsComponent: 500_000_000)
        let observer = TestObserver<Int>()
        let subscription = Observable.of(1, 2).delay(half, scheduler: scheduler).subscribe(observer)
        scheduler.advance(to: .zero)
        #expect(observer.values.isEmpty)
        scheduler.advance(to: .nanoseconds(1))
        #expect(observer.values == [1, 2] && observer.isCompleted)
        subscription.dispose()
    }

    @Test func `A replaying subject that overflows has emitted every element within its capacity, under concurrency`() {
        let capacity = 2
        race(rounds: 5_000) {
            let received = TestObserver<Int>()
            let subject = ReplaySubject<Int>(overflow: .fail(capacity: capacity))
            return (subject: subject, received: received, subscription: subject.subscribe(received))
        } _: { round in
            round.subject.onNext(1)
            round.subject.onNext(2)
        } against: { round in
            round.subject.onNext(3)
        } check: { round in
            #expect(round.received.values.count == capacity)
            #expect(round.received.error as? StreamError == .overflow(capacity: capacity))
            round.subscription.dispose()
        }
    }
}
