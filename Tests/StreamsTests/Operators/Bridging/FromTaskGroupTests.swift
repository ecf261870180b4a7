import Streams
import StreamsTesting
import Testing

@Suite("Streams of task groups", .countsResources) struct FromTaskGroupTests {
    @Test func `The results of a group are emitted as they return`() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let squares = Observable.fromTaskGroup { group in
            group.addTask {
                for await _ in gate.stream { break }
                return 1
            }
            group.addTask { 4 }
        }
        var taken: [Int] = []
        for try await square in squares.values {
            taken.append(square)
            gate.continuation.yield()
        }
        #expect(taken == [4, 1])
    }

    @Test func `The first error ends the stream and cancels the other tasks`() async {
        let isCancelled = Tally()
        let never = AsyncStream<Void>.makeStream()
        let failing = Observable<Int>.fromTaskGroup { group in
            group.addTask {
                for await _ in never.stream {}
                if Task.isCancelled { isCancelled.add() }
                return 1
            }
            group.addTask { throw Received.Failure() }
        }
        await #expect(throws: Received.Failure.self) { try await failing.array() }
        await wait { isCancelled.value == 1 }
        #expect(isCancelled.value == 1)
    }

    @Test func `Disposing cancels the tasks of the group`() async {
        let (running, cancelled) = (Tally(), Tally())
        let never = AsyncStream<Void>.makeStream()
        let subscription = Observable<Int>.fromTaskGroup { group in
            for number in 1...3 {
                group.addTask {
                    running.add()
                    for await _ in never.stream {}
                    if Task.isCancelled { cancelled.add() }
                    return number
                }
            }
        }.subscribe()
        await wait { running.value == 3 }
        subscription.dispose()
        await wait { cancelled.value == 3 }
        #expect(cancelled.value == 3)
    }

    @Test func `A task that is disposed while it returns delivers nothing afterwards`() async {
        for _ in 0..<rounds(2_000) {
            let (isDisposed, late) = (Tally(), Tally())
            let subscription = Observable.fromTaskGroup { group in
                for number in 1...3 { group.addTask { number } }
            }.subscribe(onNext: { _ in if isDisposed.value > 0 { late.add() } })
            await Task.yield()
            subscription.dispose()
            isDisposed.add()
            #expect(late.value <= 1)
        }
    }
}
