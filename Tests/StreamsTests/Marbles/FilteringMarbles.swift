import StreamsTesting
import Testing

@Suite("Filtering", .countsResources)
struct FilteringMarbles {
    let scheduler = TestScheduler()

    @Test("filter sends what passes")
    func filter() throws {
        let source = try scheduler.hot("-1-2-3-4-|", of: Int.self)
        scheduler.start { source.filter { $0.isMultiple(of: 2) } }.expect("---2---4-|")
    }

    @Test("distinctUntilChanged leaves repetitions out, by value, key or comparison")
    func distinctUntilChanged() throws {
        let source = try scheduler.hot("-1-1-2-4-1|", of: Int.self)
        let byValue = scheduler.observer(of: Int.self)
        let byKey = scheduler.observer(of: Int.self)
        let byComparison = scheduler.observer(of: Int.self)
        let bag = DisposeBag()
        source.distinctUntilChanged().subscribe(byValue).disposed(by: bag)
        source.distinctUntilChanged { $0 % 2 }.subscribe(byKey).disposed(by: bag)
        source.distinctUntilChanged(by: { $0 <= $1 }).subscribe(byComparison).disposed(by: bag)
        scheduler.run()
        byValue.expect("-1---2-4-1|")
        byKey.expect("-1---2---1|")
        byComparison.expect("-1--------|")
    }

    @Test("skip leaves the first elements out")
    func skip() throws {
        let source = try scheduler.hot("-1-2-3-|", of: Int.self)
        scheduler.start { source.skip(2) }.expect("-----3-|")
        TestScheduler().start { Observable.of(1, 2).skip(-1) }.expect("(12|)")
    }

    @Test("take lets upstream go with the last element that it sends")
    func take() throws {
        let source = try scheduler.hot("-1-2-3-|", of: Int.self)
        scheduler.start { source.take(2) }.expect("-1-(2|)")
        source.expectSubscriptions("^--!")
    }

    @Test("take(0) completes without subscribing")
    func takeNothing() throws {
        let source = try scheduler.hot("-1-2-3-|", of: Int.self)
        scheduler.start { source.take(0) }.expect("|")
        source.expectSubscriptions()
    }

    @Test("take lets upstream go before its completion is delivered")
    func takeEndsUpstreamFirst() {
        let log = Lock<[String]>([])
        let subject = PublishSubject<Int>()
        let source = Observable<Int>.create { observer in
            CompositeDisposable([subject.subscribe(observer), Disposables.create { log.withLock { $0.append("let go") } }])
        }
        let subscription = source.take(1).subscribe(onCompleted: { log.withLock { $0.append("completed") } })
        subject.onNext(1)
        #expect(log.withLock { $0 } == ["let go", "completed"])
        subscription.dispose()
    }

    @Test("take(while:) stops at the first element that fails, with it or without")
    func takeWhile() throws {
        let source = try scheduler.hot("-1-2-3-1-|", of: Int.self)
        scheduler.start { source.take(while: { $0 < 3 }) }.expect("-1-2-|")
        source.expectSubscriptions("^----!")
        TestScheduler().start { Observable.of(1, 2, 3, 1).take(while: { $0 < 3 }, behavior: .inclusive) }.expect("(123|)")
    }

    @Test("take(until:) stops with the notifier's first element, not with its completion")
    func takeUntil() throws {
        let source = try scheduler.hot("-1-2-3-4-|", of: Int.self)
        let stop = try scheduler.hot("----x-|", of: String.self)
        scheduler.start { source.take(until: stop) }.expect("-1-2|")
        source.expectSubscriptions("^---!")
        stop.expectSubscriptions("^---!")

        let time = TestScheduler()
        let whole = try time.hot("-1-2-3-|", of: Int.self)
        let silent = try time.hot("--|", of: String.self)
        time.start { whole.take(until: silent) }.expect("-1-2-3-|")
        silent.expectSubscriptions("^-!")
    }

    @Test("debounce sends what nothing followed; the last one at completion, none at an error")
    func debounce() throws {
        let source = try scheduler.hot("-1-2----3-|", of: Int.self)
        scheduler.start { source.debounce(.seconds(3), scheduler: scheduler) }.expect("------2---(3|)")
        source.expectSubscriptions("^---------!")
        let time = TestScheduler()
        let failing = try time.hot("-1-2----3-#", of: Int.self)
        time.start { failing.debounce(.seconds(3), scheduler: time) }.expect("------2---#")
        #expect(time.isIdle)
    }

    @Test("throttle sends the first at once and the last at the end of its time")
    func throttle() throws {
        let source = try scheduler.hot("-1-2-3------4-|", of: Int.self)
        scheduler.start { source.throttle(.seconds(5), scheduler: scheduler) }.expect("-1----3-----4-|")
        let time = TestScheduler()
        let leading = try time.hot("-1-2-3------4-|", of: Int.self)
        time.start { leading.throttle(.seconds(5), latest: false, scheduler: time) }.expect("-1----------4-|")
    }

    @Test("throttle's completion waits for the trailing element, an error drops it")
    func throttleEnd() throws {
        let source = try scheduler.hot("-1-2|", of: Int.self)
        scheduler.start { source.throttle(.seconds(5), scheduler: scheduler) }.expect("-1----(2|)")
        source.expectSubscriptions("^---!")
        let time = TestScheduler()
        let failing = try time.hot("-1-2#", of: Int.self)
        time.start { failing.throttle(.seconds(5), scheduler: time) }.expect("-1--#")
        #expect(time.isIdle)
    }
}
