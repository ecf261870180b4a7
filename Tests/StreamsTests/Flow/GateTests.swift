import StreamsTesting
import Testing

/// A gate and those upstream, which close in one step.
@Suite("Gates", .countsResources) struct GateTests {
    @Test func `A gate that is closed has closed those upstream`() {
        let lifetime = Lifetime()
        let gate = lifetime.boundary()
        let upstream = gate.boundary().child().boundary()
        gate.suspend()
        #expect(upstream.isClosed && !upstream.mayEmit)
        gate.resume().perform()
        #expect(!upstream.isClosed)
        lifetime.dispose()
    }

    @Test func `A gate that is made while another closes is closed with it`() {
        race(rounds: 20_000, { Round() }, { $0.gate.suspend() }, against: { $0.late.withLock { [gate = $0.gate] in $0 = gate.boundary() } })
        {
            round in
            #expect(round.late.withLock { $0?.isClosed } == true)
            round.gate.dispose()
        }
    }

    private final class Round: Sendable {
        let gate = Gate()
        let upstream: Gate
        let late = Lock<Gate?>(nil)
        let seen = Tally()

        init() { upstream = gate.boundary().boundary() }

        func close() {
            gate.suspend()
            if !upstream.isClosed { seen.add() }
        }
    }

    @Test func `Of two threads that close a gate, the second to do so finds the gates upstream closed`() {
        race(rounds: 20_000, { Round() }, { $0.close() }, against: { $0.close() }) { round in
            #expect(round.seen.value == 0)
            round.gate.dispose()
        }
    }

    @Test func `A gate that is closed while it opens remains closed, and so do those upstream`() {
        race(rounds: 20_000, { Round() }, { $0.gate.resume().perform() }, against: { $0.gate.suspend(for: .backlog) }) { round in
            #expect(round.gate.isClosed && round.upstream.isClosed)
            round.gate.dispose()
        }
    }

    @Test func `A planned resumption is cancelled with its subscription`() {
        let scheduler = VirtualTimeScheduler()
        let flags = PublishSubject<Bool>()
        let numbers = Observable.range(start: 0, count: 10).suspended(while: flags.startWith(true), scheduler: scheduler)
        let subscription = numbers.subscribe(onNext: { _ in })
        flags.onNext(false)
        #expect(!scheduler.isIdle)
        subscription.dispose()
        #expect(scheduler.isIdle)
    }
}
