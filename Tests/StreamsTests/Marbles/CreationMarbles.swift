import StreamsTesting
import Testing

@Suite("Creation", .countsResources)
struct CreationMarbles {
    let scheduler = TestScheduler()

    @Test("just sends its element and completes, in place or on a scheduler")
    func just() {
        scheduler.start { Observable.just(1) }.expect("(1|)")
        scheduler.start(subscribed: 0) { Observable.just(1, scheduler: scheduler) }.expect([.next(1_000, 1), .completed(1_000)])
    }

    @Test("empty, never and error send no element")
    func none() {
        scheduler.start { Observable<Int>.empty() }.expect("|")
        scheduler.start { Observable<Int>.never() }.expect("")
        TestScheduler().start { Observable<Int>.error(TestError("gone")) }.expect("#", error: TestError("gone"))
        TestScheduler().start { Observable<Int>.fail(with: TestError("gone")) }.expect("#", error: TestError("gone"))
    }

    @Test("of, from and range send their elements and complete")
    func sequences() {
        scheduler.start(disposed: 0) { Observable.of(1, 2, 3) }.expect("(123|)")
        scheduler.start(disposed: 0) { Observable.from([4, 5]) }.expect("(45|)")
        scheduler.start(disposed: 0) { Observable.from(optional: 6) }.expect("(6|)")
        scheduler.start(disposed: 0) { Observable<Int>.from(optional: nil) }.expect("|")
        scheduler.start(disposed: 0) { Observable.range(start: 7, count: 2) }.expect("(78|)")
        scheduler.start(disposed: 0) { Observable.range(start: 7, count: 0) }.expect("|")
        scheduler.start(disposed: 0) { Observable.range(start: Int.max, count: 1).mapTo(1) }.expect("(1|)")
    }

    @Test("from asks its sequence for no more than is wanted")
    func fromIsLazy() {
        let asked = Lock(0)
        let sequence = CountingSequence { asked.withLock { $0 += 1 } }
        scheduler.start(disposed: 0) { Observable.from(sequence).take(2) }.expect("(12|)")
        #expect(asked.withLock { $0 } <= 3)
    }

    @Test("deferred makes its stream for each subscriber")
    func deferred() {
        let made = Lock(0)
        let stream = Observable<Int>.deferred {
            .just(
                made.withLock { made in
                    made += 1
                    return made
                })
        }
        #expect(made.withLock { $0 } == 0)
        scheduler.start(disposed: 0) { stream }.expect("(1|)")
        scheduler.start(disposed: 0) { stream }.expect("(2|)")
    }

    @Test("fromCallable sends what is returned, or the error")
    func fromCallable() {
        scheduler.start(disposed: 0) { Observable.fromCallable { 1 } }.expect("(1|)")
        scheduler.start(disposed: 0) { Observable<Int>.fromCallable { throw TestError.failed } }.expect("#")
    }

    @Test("using disposes its resource when the stream has ended, or when it is disposed")
    func using() throws {
        let resource = BooleanDisposable()
        let source = try scheduler.hot("-1-2|", of: Int.self)
        let stream = Observable.using({ resource }, observableFactory: { _ in source.asObservable() })
        scheduler.start(disposed: 3) { stream }.expect("-1-2")
        #expect(resource.isDisposed)
        source.expectSubscriptions("^--!")
    }

    @Test("timer sends once after its time, or again and again")
    func timer() {
        scheduler.start { Observable<Int>.timer(.seconds(3), scheduler: scheduler) }.expect("---(0|)")
        TestScheduler().timed { Observable<Int>.timer(.seconds(2), period: .seconds(3), scheduler: $0) }.expect("--0--1--2")
        #expect(scheduler.isIdle)
    }

    @Test("interval sends each period and stops when it is disposed")
    func interval() {
        let time = TestScheduler()
        time.timed { Observable<Int>.interval(.seconds(2), scheduler: $0) }.expect("--0-1-2-3")
        #expect(time.isIdle)
    }

    @Test("repeatElement sends until nobody listens")
    func repeatElement() {
        scheduler.start(disposed: 0) { Observable.repeatElement(1).take(3) }.expect("(111|)")
    }

    @Test("generate sends while its condition holds")
    func generate() {
        scheduler.start(disposed: 0) {
            Observable.generate(initialState: 1, condition: { $0 < 9 }, iterate: { $0 * 2 })
        }.expect("(1248|)")
    }
}

extension TestScheduler {
    /// Runs a stream that needs this scheduler for nine ticks.
    func timed<Source: ObservableType>(_ make: (TestScheduler) -> Source) -> TestObserver<Source.Element> {
        start(disposed: 9) { make(self) }
    }
}

/// 1, 2, 3... and a note of each that was asked for.
private struct CountingSequence: Sequence, Sendable {
    let note: @Sendable () -> Void

    func makeIterator() -> AnyIterator<Int> {
        var last = 0
        return AnyIterator {
            note()
            last += 1
            return last
        }
    }
}
