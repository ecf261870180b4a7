import Streams
import StreamsTesting
import Testing

@Suite("flatMapIterable", .onOneThread, .countsResources) struct FlatMapIterableTests {
    @Test func `flatMapIterable stops when disposed, however long its sequence is`() {
        #expect(received(Observable.of(5).flatMapIterable { _ in 0...Int.max }.take(2)) == ["0", "1", "|"])
    }

    @Test(arguments: [true, false])
    func `What follows while it is suspended is emitted in order when it is resumed, and then it suspends again`(fails: Bool) {
        let source = PublishSubject<Int>()
        let suspension = Suspension()
        let observer = TestObserver<Int>()
        let subscription = source.flatMapIterable { [$0, $0 + 1] }.suspended(by: suspension, overflow: .suspend(capacity: 1))
            .subscribe(observer)
        for round in [10, 20] {
            suspension.suspend()
            for element in round..<(round + 3) { source.onNext(element) }
            #expect(observer.values.count == (round - 10) * 6 / 10)
            suspension.resume()
        }
        suspension.suspend()
        source.onNext(30)
        source.onNext(31)
        source.on(fails ? .error(TestError("late")) : .completed)
        suspension.resume()
        #expect(observer.values == [10, 11, 11, 12, 12, 13, 20, 21, 21, 22, 22, 23, 30, 31, 31, 32])
        #expect(observer.isCompleted != fails)
        #expect(observer.error as? TestError == (fails ? TestError("late") : nil))
        subscription.dispose()
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
