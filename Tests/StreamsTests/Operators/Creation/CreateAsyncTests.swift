import Streams
import StreamsTesting
import Testing

@Suite("create with a task", .onOneThread, .countsResources) struct CreateAsyncTests {
    @Test func `Elements that are sent arrive in order, and the stream completes when the closure returns`() async throws {
        let stream = Observable<Int>.create { send in
            for number in 1...3 { try await send(number) }
        }
        #expect(try await stream.array() == [1, 2, 3])
        #expect(try await stream.array() == [1, 2, 3])
    }

    @Test func `The stream fails with the error that the closure throws`() async {
        let stream = Observable<Int>.create { send in
            try await send(1)
            throw TestError.failed
        }
        await #expect(throws: TestError.failed) { try await stream.lastElement() }
    }

    @Test func `send returns when the consumer has taken what was sent before`() async throws {
        let sent = Tally()
        let stream = Observable<Int>.create { send in
            for number in 0..<1_000 {
                _ = sent.add()
                try await send(number)
            }
        }
        var received = 0
        for try await number in stream.values(overflow: .suspend(capacity: 4)) {
            #expect(number == received)
            received += 1
            // The capacity, the batch that is being consumed, and the element that waits.
            #expect(sent.value <= received + 9)
        }
        #expect(received == 1_000)
    }

    @Test func `send throws after the disposal, also while it waits`() async {
        let (suspension, ended) = (Suspension(), AsyncStream<Bool>.makeStream())
        suspension.suspend()
        let subscription = Observable<Int>.create { send in
            do { for number in 0... { try await send(number) } } catch { ended.continuation.yield(error is CancellationError) }
        }.suspended(by: suspension).subscribe()
        subscription.dispose()
        for await isCancellation in ended.stream {
            #expect(isCancellation)
            break
        }
    }

    @Test func `Elements of several child tasks are serialized, and each child waits`() async throws {
        let stream = Observable<Int>.create { send in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for child in 0..<4 {
                    group.addTask { for number in 0..<500 { try await send(child * 1_000 + number) } }
                }
                try await group.waitForAll()
            }
        }
        var last = [-1, -1, -1, -1]
        for try await number in stream.values(overflow: .suspend(capacity: 8)) {
            #expect(number % 1_000 == last[number / 1_000] + 1)
            last[number / 1_000] = number % 1_000
        }
        #expect(last == [499, 499, 499, 499])
    }
}
