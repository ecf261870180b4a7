import StreamsTesting
import Testing

@Suite("Error handling", .countsResources)
struct ErrorMarbles {
    let scheduler = TestScheduler()

    @Test("catch goes on with another stream, and lets the failed one go first")
    func catching() throws {
        let source = try scheduler.hot("-1-#", of: Int.self)
        let other = try scheduler.cold("-2-|", of: Int.self)
        scheduler.start { source.catch { _ in other.asObservable() } }.expect("-1--2-|")
        source.expectSubscriptions("^--!")
        other.expectSubscriptions("---^--!")
    }

    @Test("catch handles one error only, and fails with what its handler throws")
    func catchesOnce() {
        let first = Observable<Int>.error(TestError("first"))
        scheduler.start(disposed: 0) { first.catch { _ in .error(TestError("second")) } }.expect("#", error: TestError("second"))
        scheduler.start(disposed: 0) { first.catch { _ in throw TestError("third") } }.expect("#", error: TestError("third"))
    }

    @Test("catchAndReturn, catchAndComplete and replaceError end well")
    func shortForms() {
        let source = Observable.of(1).concat(Observable.error(TestError.failed))
        scheduler.start(disposed: 0) { source.catchAndReturn(2) }.expect("(12|)")
        scheduler.start(disposed: 0) { source.replaceError(with: 3).asObservable() }.expect("(13|)")
        scheduler.start(disposed: 0) { source.catchAndComplete() }.expect("(1|)")
    }

    @Test("mapError changes the error")
    func mapError() {
        scheduler.start(disposed: 0) { Observable<Int>.error(TestError("raw")).mapError { TestError("\($0) cooked") } }
            .expect("#", error: TestError("raw cooked"))
    }

    @Test("retry subscribes again, so many times in all")
    func retry() throws {
        let source = try scheduler.cold("-1-#", of: Int.self)
        scheduler.start { source.retry(3) }.expect("-1--1--1-#")
        source.expectSubscriptions("^--!", "---^--!", "------^--!")
    }

    @Test("retry without a number goes on until it is disposed")
    func retryForever() throws {
        let source = try scheduler.cold("-1-#", of: Int.self)
        scheduler.start(disposed: 5) { source.retry() }.expect("-1--1")
        source.expectSubscriptions("^--!", "---^-!")
    }

    @Test("retry(when:) subscribes again when its trigger says so, and ends with it")
    func retryWhen() throws {
        let source = try scheduler.cold("-1#", of: Int.self)
        let result = scheduler.start {
            source.retry(when: { [scheduler] errors in
                errors.scan(0) { count, _ in count + 1 }.flatMap { count -> Observable<Int> in
                    count < 3 ? .timer(.seconds(count), scheduler: scheduler) : .error(TestError("enough"))
                }
            })
        }
        result.expect("-1--1---1#", error: TestError("enough"))
        source.expectSubscriptions("^-!", "---^-!", "-------^-!")
    }

    @Test("timeout fails when nothing comes in time, and lets upstream go")
    func timeout() throws {
        let source = try scheduler.hot("-1-2------3|", of: Int.self)
        scheduler.start { source.timeout(.seconds(4), scheduler: scheduler) }
            .expect("-1-2---#", error: StreamError.timeout(after: .seconds(4)))
        source.expectSubscriptions("^------!")
        #expect(scheduler.isIdle)
    }

    @Test("timeout(other:) goes on with another stream")
    func timeoutOther() throws {
        let source = try scheduler.hot("-1-2------3|", of: Int.self)
        let other = try scheduler.cold("--9|", of: Int.self)
        scheduler.start { source.timeout(.seconds(4), other: other, scheduler: scheduler) }.expect("-1-2-----9|")
        other.expectSubscriptions("-------^--!")
    }

    @Test("timeout does nothing to a stream that keeps coming")
    func timeoutInTime() throws {
        let source = try scheduler.hot("--1--2--3--|", of: Int.self)
        scheduler.start { source.timeout(.seconds(4), scheduler: scheduler) }.expect("--1--2--3--|")
        #expect(scheduler.isIdle)
    }
}
