import StreamsTesting
import Testing

@Suite("Time, aggregates and utilities", .countsResources)
struct UtilityMarbles {
    let scheduler = TestScheduler()

    @Test("delay sends elements and the completion later, an error at once")
    func delay() throws {
        let source = try scheduler.hot("-12-3|", of: Int.self)
        scheduler.start { source.delay(.seconds(3), scheduler: scheduler) }.expect("----12-3|")
        source.expectSubscriptions("^----!")
        let time = TestScheduler()
        let failing = try time.hot("-1--2#", of: Int.self)
        time.start { failing.delay(.seconds(3), scheduler: time) }.expect("----1#")
        #expect(time.isIdle)
    }

    @Test("delaySubscription subscribes later")
    func delaySubscription() throws {
        let source = try scheduler.hot("-1-2-3-|", of: Int.self)
        scheduler.start { source.delaySubscription(.seconds(2), scheduler: scheduler) }.expect("---2-3-|")
        source.expectSubscriptions("--^----!")
    }

    @Test("reduce and toArray send one result at completion, none after an error")
    func aggregates() throws {
        let source = try scheduler.hot("-1-2-3-|", of: Int.self)
        let sum = scheduler.observer(of: Int.self)
        let subscription = source.reduce(0) { $0 + $1 }.subscribe(sum)
        scheduler.start { source.toArray() }.expect("-------(x|)", values: ["x": [1, 2, 3]])
        sum.expect("-------(6|)")
        let time = TestScheduler()
        let failing = try time.hot("-1-#", of: Int.self)
        time.start { failing.toArray() }.expect("---#", values: ["x": [1]])
        subscription.dispose()
    }

    @Test("do calls its closures around the events")
    func doing() {
        let log = Lock<[String]>([])
        @Sendable func note(_ text: String) -> @Sendable () -> Void {
            { log.withLock { $0.append(text) } }
        }
        let subscription = Observable.of(1).do(
            onNext: { _ in note("onNext")() }, afterNext: { _ in note("afterNext")() }, onCompleted: note("onCompleted"),
            afterCompleted: note("afterCompleted"), onSubscribe: note("onSubscribe"), onSubscribed: note("onSubscribed"),
            onDispose: note("onDispose")
        ).subscribe(onNext: { _ in note("next")() }, onCompleted: note("completed"), onDisposed: note("disposed"))
        #expect(
            log.withLock { $0 } == [
                "onSubscribe", "onNext", "next", "afterNext", "onCompleted", "disposed", "completed", "afterCompleted", "onSubscribed",
                "onDispose",
            ])
        subscription.dispose()
    }

    @Test("observe(on:) keeps errors and completion in line")
    func observeOn() {
        let time = TestScheduler()
        let observer = time.observer(of: Int.self)
        let subscription = Observable.of(1, 2).concat(Observable.error(TestError.failed)).observe(on: time).subscribe(observer)
        #expect(observer.events.isEmpty)
        time.run()
        observer.expect("(12#)")
        subscription.dispose()
    }

    @Test("observe(on:) crosses with a whole burst in one hop")
    func observeOnHopsOnce() {
        let queue = CountingScheduler()
        let subscription = Observable.range(start: 0, count: 1_000).observe(on: queue).subscribe { _ in }
        #expect(queue.scheduled == 1)
        queue.run()
        #expect(queue.scheduled == 1)
        subscription.dispose()
    }

    @Test("observe(on:) delivers in place where it is already")
    func observeOnInPlace() {
        scheduler.start(disposed: 0) { Observable.of(1, 2).observe(on: ImmediateScheduler.instance) }.expect("(12|)")
    }

    @Test("subscribe(on:) subscribes on its scheduler")
    func subscribeOn() throws {
        let source = try scheduler.hot("-1-2-|", of: Int.self)
        let observer = scheduler.observer(of: Int.self)
        let subscription = source.subscribe(on: scheduler).subscribe(observer)
        source.expectSubscriptions()
        scheduler.run()
        observer.expect("-1-2-|")
        subscription.dispose()
    }
}

/// Counts what is scheduled and runs it by hand.
private final class CountingScheduler: Scheduler {
    private let time = VirtualTimeScheduler()
    private let count = Lock(0)

    var now: Duration { time.now }
    var scheduled: Int { count.withLock { $0 } }

    func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        count.withLock { $0 += 1 }
        return time.schedule(action)
    }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        time.schedule(after: delay, action)
    }

    func run() {
        time.run()
    }
}
