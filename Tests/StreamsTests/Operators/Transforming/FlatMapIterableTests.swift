import Streams
import StreamsTesting
import Testing

@Suite("flatMapIterable", .onOneThread, .countsResources) struct FlatMapIterableTests {
    @Test func `flatMapIterable stops when disposed, however long its sequence is`() {
        #expect(received(Observable.of(5).flatMapIterable { _ in 0...Int.max }.take(2)) == ["0", "1", "|"])
    }

    @Test func `Suspended and resumed on another thread, it takes no sequence before the last has been emitted`() {
        let (taken, received) = (Tally(), Tally())
        let ahead = Lock(0)
        let suspension = Suspension()
        let isDone = Lock(false)
        together {
            _ = Observable.range(start: 0, count: 10_000).do(onNext: { _ in taken.add() })
                .flatMapIterable { [$0, $0, $0] }
                .suspended(by: suspension, overflow: .suspend(capacity: 1))
                .subscribe(
                    onNext: { _ in
                        let count = received.add()
                        ahead.withLock { $0 = max($0, taken.value - count / 3) }
                    }, onCompleted: { isDone.withLock { $0 = true } })
        } _: {
            while !isDone.withLock({ $0 }) {
                suspension.suspend()
                suspension.resume()
            }
        }
        #expect(received.value == 30_000)
        #expect(ahead.withLock { $0 } <= 4)
    }
}
