import StreamsTesting
import Testing

/// Endless sources in front of consumers that take their time: what is between the two stays bounded.
@Suite("Endless sources in front of slow consumers", .countsResources) struct BoundedSourcesTests {
    @Test(.onOneThread) func `An endless source through four delays at a time is as far ahead after four hours as after a second`() {
        let scheduler = VirtualTimeScheduler()
        let (taken, received) = (Tally(), Tally())
        let subscription = Observable.range(start: 0, count: .max).do(onNext: { _ in taken.add() })
            .flatMap(maxConcurrent: 4) { number in Observable.just(number).delay(.seconds(1), scheduler: scheduler) }
            .subscribe(onNext: { _ in received.add() })
        for hour in 1...4 {
            scheduler.advance(by: .seconds(3_600))
            #expect(received.value == hour * 4 * 3_600)
            // Four that are delayed, and those that wait to be started.
            #expect(taken.value <= received.value + 4 + 16)
        }
        subscription.dispose()
    }

    @Test func `Two threads that are merged into a slow observer are at most 64 elements ahead`() {
        let (taken, received) = (Tally(), Tally())
        let most = Lock(0)
        let count = 20_000
        let (first, second) = (PublishSubject<Void>(), PublishSubject<Void>())
        let sources = [first, second].map { start in
            start.take(1).flatMap { _ in Observable.range(start: 0, count: count).do(onNext: { _ in taken.add() }) }
        }
        let subscription = Observable.merge(sources).subscribe(onNext: { _ in
            let ahead = taken.value - received.add() + 1
            most.withLock { $0 = max($0, ahead) }
            // Slower than what only takes an element.
            for _ in 0..<20 { _ = taken.value }
        })
        together({ first.onNext(()) }, { second.onNext(()) })
        #expect(received.value == 2 * count)
        #expect(most.withLock { $0 } <= 64)
        subscription.dispose()
    }
}
