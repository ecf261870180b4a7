import StreamsTesting
import Testing

/// A buffer in front of a subscriber that suspends it.
@Suite("Queues of suspended subscribers", .countsResources) struct SuspendedQueueTests {
    /// A subscriber that is suspended at each element, and one element that waits for it.
    private final class Round: Sendable {
        let gate = Gate()
        let received = Tally()
        private let observer = Lock<AnyObserver<Int>?>(nil)

        init() {
            let stream = Observable<Int>.create(overflow: .suspend(capacity: 2)) { [unowned self] sending in
                observer.withLock { $0 = sending }
                return Disposables.create()
            }
            stream.subscribe(in: gate) { [gate, received] event in
                guard !event.isStopEvent else { return }
                received.add()
                gate.suspend()
            }
            send(1)
            send(2)
        }

        func send(_ number: Int) { observer.withLock { $0 }?.onNext(number) }
    }

    @Test func `An element that suspends is the last one, also if the next is sent while the queue that it ended becomes idle`() {
        race(rounds: 20_000, { Round() }, { $0.gate.resume().perform() }, against: { $0.send(3) }) { round in
            #expect(round.received.value == 2)
            round.gate.dispose()
        }
    }
}
