import StreamsTesting
import Testing

/// Tasks that wait until they may send, and are ended while they do.
@Suite("Parked tasks", .countsResources) struct ParkedTaskTests {
    @Test func `A task that is cancelled while it waits leaves the gate and the lifetime`() async {
        for _ in 0..<50 {
            let gate = Gate()
            gate.suspend()
            let tasks = (0..<4).map { _ in Task { await gate.untilMayEmit() } }
            while gate.isEmpty { await Task.yield() }
            for task in tasks { task.cancel() }
            for task in tasks { #expect(await task.value == false) }
            #expect(gate.isEmpty)
            // A task that had stayed would be resumed here, after its release.
            gate.resume().perform()
            #expect(await gate.untilMayEmit())
            gate.dispose()
        }
    }

    @Test func `Cancelled, resumed and disposed at once, each task ends once`() async {
        for round in 0..<100 {
            let gate = Gate()
            gate.suspend()
            let tasks = (0..<3).map { _ in Task { await gate.untilMayEmit() } }
            if round.isMultiple(of: 2) { await Task.yield() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for task in tasks { task.cancel() } }
                group.addTask { gate.resume().perform() }
                if round.isMultiple(of: 3) { group.addTask { gate.dispose() } }
            }
            for task in tasks { _ = await task.value }
            #expect(gate.isEmpty)
            gate.dispose()
        }
    }

    @Test func `A stream goes on after tasks that waited in send have been cancelled`() async throws {
        for _ in 0..<50 {
            let suspension = Suspension()
            suspension.suspend()
            let (waiting, received) = (Tally(), AsyncStream<Int>.makeStream())
            let subscription = Observable<Int>.create { send in
                let tasks = (0..<4).map { number in
                    Task {
                        _ = waiting.add()
                        try await send(number)
                    }
                }
                while waiting.value < 4 { await Task.yield() }
                for task in tasks { task.cancel() }
                for task in tasks { _ = await task.result }
                try await send(100)
            }.suspended(by: suspension).subscribe(onNext: { received.continuation.yield($0) })
            while waiting.value < 4 { await Task.yield() }
            suspension.resume()
            #expect(await received.stream.first { $0 == 100 } == 100)
            subscription.dispose()
        }
    }
}
