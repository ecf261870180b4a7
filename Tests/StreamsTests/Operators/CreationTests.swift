import StreamsTesting
import Testing

@Suite("Creation", .countsResources)
struct CreationTests {
    let scheduler = TestScheduler()

    @Test func `from iterates its sequence only as far as needed`() {
        let asked = Lock(0)
        let sequence = CountingSequence { asked.withLock { $0 += 1 } }
        scheduler.start(disposed: 0) { Observable.from(sequence).take(2) }.expect("(12|)")
        #expect(asked.withLock { $0 } <= 3)
    }

    @Test func `using disposes its resource when the stream has terminated, or when it is disposed`() throws {
        let resource = BooleanDisposable()
        let source = try scheduler.hot("-1-2|", of: Int.self)
        let stream = Observable.using({ resource }, observableFactory: { _ in source.asObservable() })
        scheduler.start(disposed: 3) { stream }.expect("-1-2")
        #expect(resource.isDisposed)
        source.expectSubscriptions("^--!")
    }

    @Test func `range reaches the largest number`() {
        #expect(received(Observable.range(start: Int.max - 1, count: 2)) == ["\(Int.max - 1)", "\(Int.max)", "|"])
        let scheduled = Observable.range(start: Int.max - 1, count: 2, scheduler: ImmediateScheduler.instance)
        #expect(received(scheduled) == ["\(Int.max - 1)", "\(Int.max)", "|"])
    }

    @Test func `Each element of a stream on a scheduler is an action of its own, and so is the completion`() {
        let streams: [Observable<Int>] = [
            .from([1, 2], scheduler: scheduler), .of(1, 2, scheduler: scheduler),
            .range(start: 1, count: 2, scheduler: scheduler), .from(optional: 1, scheduler: scheduler).concat(Observable.just(2)),
            .generate(initialState: 1, condition: { $0 < 3 }, scheduler: scheduler, iterate: { $0 + 1 }),
        ]
        for stream in streams {
            let log = Output()
            let subscription = stream.subscribe { event in log.print("\(event)") }
            _ = scheduler.schedule { log.print("between") }
            #expect(log.lines.isEmpty)
            scheduler.run()
            #expect(log.lines.prefix(2) == ["next(1)", "between"])
            #expect(log.lines.suffix(2) == ["next(2)", "completed"])
            subscription.dispose()
        }
    }

    @Test func `A scheduled stream stops at its disposal, also by its own element`() {
        let asked = Lock(0)
        let sequence = CountingSequence { asked.withLock { $0 += 1 } }
        scheduler.start { Observable.from(sequence, scheduler: scheduler).take(2) }.expect("(12|)")
        #expect(asked.withLock { $0 } == 2)
        #expect(scheduler.isIdle)
    }

    @Test func `A million elements on a scheduler that runs its actions synchronously do not grow the stack`() {
        let scheduler = ImmediateScheduler.instance
        #expect(received(Observable.range(start: 0, count: 1_000_000, scheduler: scheduler).count()) == ["1000000", "|"])
        #expect(received(Observable.repeatElement(1, scheduler: scheduler).take(1_000_000).count()) == ["1000000", "|"])
    }

    @Test func `generate on a scheduler fails with the error of its closures`() {
        let stream = Observable.generate(
            initialState: 1, condition: { _ in true }, scheduler: ImmediateScheduler.instance,
            iterate: { if $0 == 2 { throw Received.Failure() } else { $0 + 1 } })
        #expect(received(stream) == ["1", "2", "# Failure()"])
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
