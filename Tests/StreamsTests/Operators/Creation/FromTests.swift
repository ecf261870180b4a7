import Streams
import StreamsTesting
import Testing

@Suite("from", .onOneThread, .countsResources) struct FromTests {
    private let scheduler = TestScheduler()

    @Test func `from iterates its sequence only as far as needed`() {
        let asked = Lock(0)
        let sequence = CountingSequence { asked.withLock { $0 += 1 } }
        scheduler.start(disposed: 0) { Observable.from(sequence).take(2) }.expect("(12|)")
        #expect(asked.withLock { $0 } <= 3)
    }

    @Test func `range reaches the largest number`() {
        #expect(received(Observable.range(start: Int.max - 1, count: 2)) == ["\(Int.max - 1)", "\(Int.max)", "|"])
        let scheduled = Observable.range(start: Int.max - 1, count: 2, scheduler: ImmediateScheduler.instance)
        #expect(received(scheduled) == ["\(Int.max - 1)", "\(Int.max)", "|"])
    }
}

/// 1, 2, 3... and a note of each that was asked for.
struct CountingSequence: Sequence, Sendable {
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
