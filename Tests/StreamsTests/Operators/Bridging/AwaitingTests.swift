import Streams
import StreamsTesting
import Testing

@Suite("Awaited elements", .countsResources) struct AwaitingTests {
    @Test func `The first element, the last and all are awaited`() async throws {
        let stream = Observable.of(1, 2, 3)
        #expect(try await stream.firstElement() == 1)
        #expect(try await stream.firstElement { $0 > 1 } == 2)
        #expect(try await stream.lastElement() == 3)
        #expect(try await stream.array() == [1, 2, 3])
        await #expect(throws: StreamError.noElements) { try await Observable<Int>.empty().firstElement() }
        await #expect(throws: StreamError.noElements) { try await Observable<Int>.empty().lastElement() }
        await #expect(throws: Received.Failure.self) { try await Observable<Int>.error(Received.Failure()).array() }
    }

    @Test func `An awaited element that is cancelled while it is emitted returns or throws, and disposes once`() async {
        for _ in 0..<rounds(2_000) {
            let (subject, disposals) = (PublishSubject<Int>(), Tally())
            let awaiting = Task { try await subject.do(onDispose: { disposals.add() }).firstElement() }
            async let emitted: Void = emit(3, into: subject)
            await Task.yield()
            awaiting.cancel()
            switch await awaiting.result {
            case .success(let number): #expect((0..<3).contains(number))
            case .failure(let error): #expect(error is CancellationError)
            }
            await emitted
            #expect(disposals.value <= 1)
        }
    }

    @Test func `A cancelled task does not wait for the end of a synchronous source`() async {
        let taken = Tally()
        let endless = Observable.range(start: 0, count: 10_000).do(onNext: { _ in
            taken.add()
            withUnsafeCurrentTask { $0?.cancel() }
        })
        for task in [Task { try await endless.lastElement() }, Task { try await endless.array().count }] {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(taken.value == 2)
    }
}
