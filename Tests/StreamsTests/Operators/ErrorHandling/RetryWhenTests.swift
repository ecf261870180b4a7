import Streams
import StreamsTesting
import Testing

@Suite("retry(when:)", .onOneThread, .countsResources) struct RetryWhenTests {
    private let scheduler = TestScheduler()

    @Test func `retry(when:) makes one attempt for several elements of its trigger`() throws {
        let source = try scheduler.cold("1-#", of: Int.self)
        let stream = source.retry(when: { errors in
            errors.take(2).flatMap { _ in Observable.of(1, 2, 3).delay(.seconds(1), scheduler: scheduler) }
        })
        scheduler.start(disposed: 20) { stream }.expect("1--1--1-|")
        source.expectSubscriptions("^-!", "---^-!", "------^-!")
    }

    @Test(arguments: [true, false]) func `The termination of retry(when:)'s trigger takes effect at the next error`(fails: Bool) throws {
        let source = try scheduler.cold("1--#", of: Int.self)
        let trigger = try scheduler.hot(fails ? "----1-#" : "----1-|", of: Int.self)
        let stream = source.retry(when: { _ in trigger })
        scheduler.start(disposed: 20) { stream }.expect(fails ? "1---1--#" : "1---1--|")
        source.expectSubscriptions("^--!", "----^--!")
    }

    @Test
    func `The termination of retry(when:)'s trigger terminates the result between attempts, and a completed attempt completes it`() throws {
        let source = try scheduler.cold("1-#", of: Int.self)
        let trigger = try scheduler.hot("----|", of: Int.self)
        scheduler.start(disposed: 20) { source.retry(when: { _ in trigger }) }.expect("1---|")
        let later = TestScheduler()
        let completing = try later.cold("1-|", of: Int.self)
        let early = try later.cold("-|", of: Int.self)
        later.start(disposed: 20) { completing.retry(when: { _ in early }) }.expect("1-|")
    }

    @Test func `retry(when:) makes no further attempt while its consumer is suspended`() {
        let (suspension, attempts) = (Suspension(), Tally())
        let source = Observable<Int>.deferred { .error(attempts.add() < 3 ? Received.Failure() : StreamError.noElements) }
        let received = Output()
        suspension.suspend()
        let subscription = source.retry(as: Received.Failure.self, when: { $0 }).suspended(by: suspension)
            .subscribe { event in received.print("\(event)") }
        #expect(attempts.value == 1)
        suspension.resume()
        #expect(attempts.value == 3)
        #expect(received.lines == ["error(noElements)"])
        subscription.dispose()
    }
}
