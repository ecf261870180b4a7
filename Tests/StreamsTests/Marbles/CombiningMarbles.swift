import StreamsTesting
import Testing

@Suite("Combining", .countsResources)
struct CombiningMarbles {
    let scheduler = TestScheduler()

    @Test("combineLatest sends with each element once all have one, and completes with the last")
    func combineLatest() throws {
        let first = try scheduler.hot("-1----3---|", of: Int.self)
        let second = try scheduler.hot("---2---4-|", of: Int.self)
        scheduler.start { Observable.combineLatest(first, second) { $0 * $1 } }.expect("---2--6x--|", values: ["x": 12])
        first.expectSubscriptions("^---------!")
        second.expectSubscriptions("^--------!")
    }

    @Test("combineLatest completes when a stream has completed without an element, and lets the others go")
    func combineLatestEmpty() throws {
        let first = try scheduler.hot("-1-2-3-|", of: Int.self)
        let second = try scheduler.hot("----|", of: Int.self)
        scheduler.start { Observable.combineLatest(first, second) { $0 + $1 } }.expect("----|")
        first.expectSubscriptions("^---!")
    }

    @Test("combineLatest fails with the first that fails, and lets the others go")
    func combineLatestError() throws {
        let first = try scheduler.hot("-1-2-3-|", of: Int.self)
        let second = try scheduler.hot("----#", of: Int.self)
        scheduler.start { Observable.combineLatest([first, second]) { $0.reduce(0, +) } }.expect("----#")
        first.expectSubscriptions("^---!")
    }

    @Test("combineLatest takes up to eight streams")
    func combineLatestMany() throws {
        let one = try scheduler.cold("1|", of: Int.self)
        let five = Observable.combineLatest(one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 }
        let six = Observable.combineLatest(one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 }
        let seven = Observable.combineLatest(one, one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 + $6 }
        let eight = Observable.combineLatest(one, one, one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
        let all = [five, six, seven, eight]
        #expect(scheduler.start(disposed: 5) { Observable.merge(all) }.values == [5, 6, 7, 8])
        let three = Observable.combineLatest(one, one, one) { $0 + $1 + $2 }
        let four = Observable.combineLatest(one, one, one, one) { $0 + $1 + $2 + $3 }
        #expect(scheduler.start(subscribed: 5, disposed: 10) { three.concat(four) }.values == [3, 4])
    }

    @Test("merge sends what comes and completes with the last")
    func merge() throws {
        let first = try scheduler.hot("-1---3--|", of: Int.self)
        let second = try scheduler.hot("---2---4---|", of: Int.self)
        scheduler.start { Observable.merge(first.asObservable(), second.asObservable()) }.expect("-1-2-3-4---|")
        first.expectSubscriptions("^-------!")
        second.expectSubscriptions("^----------!")
    }

    @Test("merge ends with the first error, or with the last stream when it delays errors")
    func mergeErrors() throws {
        let first = try scheduler.hot("-1-#", of: Int.self)
        let second = try scheduler.hot("--2--3|", of: Int.self)
        let sources = [first.asObservable(), second.asObservable()]
        let delayed = scheduler.observer(of: Int.self)
        let subscription = Observable.merge(sources, delayErrors: true).subscribe(delayed)
        scheduler.start { Observable.merge(sources) }.expect("-12#")
        delayed.expect("-12--3#")
        second.expectSubscriptions("^-----!", "^--!")
        subscription.dispose()
    }

    @Test("merge with a limit starts the next inner stream when one has completed")
    func mergeLimited() throws {
        let inner = try scheduler.cold("-1-|", of: Int.self)
        let streams = Observable.from([inner, inner, inner])
        scheduler.start { streams.merge(maxConcurrent: 1) }.expect("-1--1--1-|")
        inner.expectSubscriptions("^--!", "---^--!", "------^--!")
    }

    @Test("concat subscribes to the next when the one before has completed, and lets that go first")
    func concat() throws {
        let first = try scheduler.cold("-1-|", of: Int.self)
        let second = try scheduler.cold("-2-|", of: Int.self)
        scheduler.start { first.concat(second) }.expect("-1--2-|")
        first.expectSubscriptions("^--!")
        second.expectSubscriptions("---^--!")
    }

    @Test("concat ends with an error and does not go on")
    func concatError() throws {
        let first = try scheduler.cold("-1-#", of: Int.self)
        let second = try scheduler.cold("-2-|", of: Int.self)
        scheduler.start { Observable.concat(first.asObservable(), second.asObservable()) }.expect("-1-#")
        second.expectSubscriptions()
    }

    @Test("switchLatest and concat work on streams of streams")
    func streamsOfStreams() throws {
        let first = try scheduler.cold("-1-2-3|", of: Int.self)
        let second = try scheduler.cold("-4-5-6|", of: Int.self)
        let outer = try scheduler.hot("-a--b--|", values: ["a": first, "b": second])
        scheduler.start { outer.switchLatest() }.expect("--1--4-5-6|")
        first.expectSubscriptions("-^--!")
        let time = TestScheduler()
        let inner = try time.cold("-1|", of: Int.self)
        time.start { Observable.of(inner, inner).concat() }.expect("-1-1|")
    }

    @Test("startWith comes first and endWith last")
    func startAndEndWith() throws {
        let source = try scheduler.hot("-1-2-|", of: Int.self)
        scheduler.start { source.startWith(8, 9).endWith(6, 7) }
            .expect([.next(0, 8), .next(0, 9), .next(1, 1), .next(3, 2), .next(5, 6), .next(5, 7), .completed(5)])
        source.expectSubscriptions("^----!")
    }

    @Test("withLatestFrom sends with the first stream only")
    func withLatestFrom() throws {
        let clicks = try scheduler.hot("-1-2---3-|", of: Int.self)
        let text = try scheduler.hot("--a--b-----c", of: String.self)
        scheduler.start { clicks.withLatestFrom(text) { "\($1)\($0)" } }.expect("---x---y-|", values: ["x": "a2", "y": "b3"])
        text.expectSubscriptions("^--------!")
        clicks.expectSubscriptions("^--------!")
    }

    @Test("withLatestFrom fails with the second stream, and does not end with it")
    func withLatestFromEnds() throws {
        let clicks = try scheduler.hot("-1-2---3-|", of: Int.self)
        let done = try scheduler.hot("--a-|", of: String.self)
        let failing = try scheduler.hot("--a-#", of: String.self)
        let didResume = scheduler.observer(of: String.self)
        let subscription = clicks.withLatestFrom(done).subscribe(didResume)
        scheduler.start { clicks.withLatestFrom(failing) }.expect("---a#")
        didResume.expect("---a---a-|")
        done.expectSubscriptions("^---!")
        subscription.dispose()
    }
}
