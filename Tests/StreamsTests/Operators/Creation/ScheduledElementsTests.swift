import Streams
import StreamsTesting
import Testing

@Suite("Scheduled elements", .onOneThread, .countsResources) struct ScheduledElementsTests {
    private let scheduler = TestScheduler()

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

    @Test func `Twenty thousand elements on a scheduler that runs its actions synchronously do not grow the stack`() {
        let scheduler = ImmediateScheduler.instance
        #expect(received(Observable.range(start: 0, count: 20_000, scheduler: scheduler).count()) == ["20000", "|"])
        #expect(received(Observable.repeatElement(1, scheduler: scheduler).take(20_000).count()) == ["20000", "|"])
    }

    @Test func `generate on a scheduler fails with the error of its closures`() {
        let stream = Observable.generate(
            initialState: 1, condition: { _ in true }, scheduler: ImmediateScheduler.instance,
            iterate: { if $0 == 2 { throw Received.Failure() } else { $0 + 1 } })
        #expect(received(stream) == ["1", "2", "# Failure()"])
    }

    @Test func `A scheduled stream takes no element while its consumer is suspended, from the beginning or between two elements`() {
        let asked = Tally()
        let (suspension, received) = (Suspension(), Tally())
        let subscription = Observable.from(CountingSequence { _ = asked.add() }, scheduler: scheduler)
            .suspended(by: suspension, overflow: .suspend(capacity: 1)).subscribe(onNext: { _ in received.add() })
        suspension.suspend()
        scheduler.run()
        #expect(asked.value == 0)
        suspension.resume()
        _ = scheduler.schedule(after: .zero) { suspension.suspend() }
        scheduler.run()
        #expect(asked.value == 1 && received.value == 1)
        subscription.dispose()
    }
}
