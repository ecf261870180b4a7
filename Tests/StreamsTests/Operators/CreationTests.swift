import StreamsTesting
import Testing

@Suite("Creation", .countsResources)
struct CreationTests {
    let scheduler = TestScheduler()

    @Test("from iterates its sequence only as far as needed")
    func fromIsLazy() {
        let asked = Lock(0)
        let sequence = CountingSequence { asked.withLock { $0 += 1 } }
        scheduler.start(disposed: 0) { Observable.from(sequence).take(2) }.expect("(12|)")
        #expect(asked.withLock { $0 } <= 3)
    }

    @Test("using disposes its resource when the stream has terminated, or when it is disposed")
    func using() throws {
        let resource = BooleanDisposable()
        let source = try scheduler.hot("-1-2|", of: Int.self)
        let stream = Observable.using({ resource }, observableFactory: { _ in source.asObservable() })
        scheduler.start(disposed: 3) { stream }.expect("-1-2")
        #expect(resource.isDisposed)
        source.expectSubscriptions("^--!")
    }

    @Test("range reaches the largest number")
    func largest() {
        #expect(received(Observable.range(start: Int.max - 1, count: 2)) == ["\(Int.max - 1)", "\(Int.max)", "|"])
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
