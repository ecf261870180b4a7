import StreamsTesting
import Testing

@Suite("The test scheduler", .countsResources)
struct TestSchedulerTests {
    let scheduler = TestScheduler()

    @Test func `A hot source emits with or without subscribers, and records its subscriptions`() throws {
        let source = try scheduler.hot("-1-2-3-4-|", of: Int.self)
        scheduler.start(subscribed: 2, disposed: 6) { source }.expect("---2-3")
        source.expectSubscriptions("--^---!")
    }

    @Test func `A cold source emits anew for each subscriber`() throws {
        let source = try scheduler.cold("-1-2|", of: Int.self)
        let first = scheduler.start(disposed: 3) { source }
        let second = scheduler.start { source }
        first.expect("-1-2")
        second.expect("----1-2|")
        source.expectSubscriptions("^--!", "---^---!")
    }

    @Test func `A diagram can define subscription and disposal`() throws {
        let source = try scheduler.hot("-1-2-3-4-|", of: Int.self)
        try scheduler.start("--^---!") { source }.expect("---2-3")
    }

    @Test func `A stream is created, subscribed to and disposed at the given times`() {
        let times = Lock<[Duration]>([])
        let note: @Sendable () -> Void = { [scheduler] in times.withLock { $0.append(scheduler.now) } }
        _ = scheduler.start(created: 1, subscribed: 3, disposed: 7) {
            note()
            return Observable<Int>.create { _ in
                note()
                return Disposables.create(note)
            }
        }
        #expect(times.withLock { $0 } == [.seconds(1), .seconds(3), .seconds(7)])
    }

    @Test func `An observer records events with their times`() {
        let observer = scheduler.observer(of: Int.self)
        scheduler.schedule(at: 2) { observer.onNext(1) }
        scheduler.schedule(at: 5) { observer.onError(TestError("late")) }
        scheduler.advance(to: 10)
        #expect(observer.events == [.next(2, 1), .error(5, TestError("late"))])
        #expect(observer.values == [1])
        #expect(observer.error as? TestError == TestError("late"))
        #expect(observer.isStopped && !observer.isCompleted)
    }

    @Test func `A mismatch shows both diagrams below one another`() {
        let observer = TestObserver<Int>()
        observer.onNext(1)
        #expect(observer.mismatch(with: "1") == nil)
        #expect(observer.mismatch(with: "-1|") == "expected  -1|\nactual    1")
        #expect(observer.mismatch(with: "(12") == "the marble diagram is wrong\n(12\n^ this group has no ')'")
    }

    @Test func `An expectation that fails is an issue of the test`() {
        withKnownIssue { TestObserver<Int>().expect("-1|") }
        withKnownIssue { scheduler.hot([Recorded<Int>]()).expectSubscriptions("^") }
    }

    @Test func `Time is advanced by durations too`() {
        let observer = scheduler.observer(of: Int.self)
        _ = scheduler.schedule(after: .milliseconds(250)) { observer.onNext(1) }
        scheduler.advance(by: .milliseconds(249))
        #expect(observer.events.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(observer.events == [.next(at: .milliseconds(250), 1)])
        #expect(scheduler.isIdle)
    }
}
