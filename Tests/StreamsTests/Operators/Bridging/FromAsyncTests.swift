import Streams
import StreamsTesting
import Testing

@Suite("Streams of async sequences", .countsResources) struct FromAsyncTests {
    @Test func `An async sequence becomes a stream`() async throws {
        let numbers = AsyncStream { continuation in
            for value in 1...3 { continuation.yield(value) }
            continuation.finish()
        }
        #expect(try await Observable.from(numbers).array() == [1, 2, 3])
        #expect(try await Task { 5 }.asObservable().firstElement() == 5)
    }

    @Test(.timeLimit(.minutes(1))) func `A producer is told when its consumer leaves between two elements`() async {
        for isSuspended in [false, true] {
            let (numbers, continuation) = AsyncStream<Int>.makeStream()
            let ended = AsyncStream<Void>.makeStream()
            continuation.onTermination = { _ in ended.continuation.yield() }
            for number in 0..<10 { continuation.yield(number) }
            let suspension = Suspension()
            let received = AsyncStream<Void>.makeStream()
            let subscription = Observable.from(numbers).suspended(by: suspension, overflow: .suspend(capacity: 1)).take(isSuspended ? 2 : 1)
                .subscribe(onNext: { _ in
                    if isSuspended { suspension.suspend() }
                    received.continuation.yield()
                })
            for await _ in received.stream { break }
            if isSuspended { subscription.dispose() }
            for await _ in ended.stream { break }
            let result = continuation.yield(10)
            guard case .terminated = result else {
                Issue.record("elements are kept for nobody")
                return
            }
            subscription.dispose()
        }
    }

    @Test func `Disposing cancels the task of fromAsync`() async {
        let isCancelled = AsyncStream<Bool>.makeStream()
        let isRunning = AsyncStream<Void>.makeStream()
        let never = AsyncStream<Void>.makeStream()
        let subscription = Observable<Int>.fromAsync {
            isRunning.continuation.yield()
            // Ends only because its task is cancelled.
            for await _ in never.stream {}
            isCancelled.continuation.yield(Task.isCancelled)
            return 1
        }.subscribe()
        for await _ in isRunning.stream { break }
        subscription.dispose()
        for await flag in isCancelled.stream {
            #expect(flag)
            break
        }
    }

    @Test(arguments: [TaskPriority.high, .medium, .low])
    func `A task has the priority of the task that subscribes`(priority: TaskPriority) async throws {
        let seen = try await Task(priority: priority) {
            try await Observable.fromAsync { Task.basePriority }.firstElement()
        }.value
        #expect(seen == priority)
    }

    @Test func `A priority that is given counts`() async throws {
        let seen = try await Task(priority: .high) {
            try await Observable.fromAsync(priority: .low) { Task.basePriority }.firstElement()
        }.value
        #expect(seen == .low)
        let children = try await Observable.fromTaskGroup(priority: .low) { group in group.addTask { Task.basePriority } }.firstElement()
        #expect(children == .low)
    }
}
