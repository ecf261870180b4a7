import Foundation
import Observation
import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Streams and async code` {
    @Test func `values throws the error after the elements`() async {
        var taken: [Int] = []
        await #expect(throws: Received.Failure.self) {
            for try await value in Observable.concat(.of(1, 2), .error(Received.Failure())).values { taken.append(value) }
        }
        #expect(taken == [1, 2])
    }

    @Test func `values returns elements of another thread in order`() async throws {
        let source = Observable.range(start: 0, count: 20_000).subscribe(on: SerialDispatchQueueScheduler())
        var next = 0
        for try await value in source.values {
            #expect(value == next)
            next += 1
        }
        #expect(next == 20_000)
    }

    @Test func `leaving the loop disposes the subscription`() async throws {
        let isGone = Tally()
        let subject = BehaviorSubject(value: 1)
        for try await value in subject.do(onDispose: { isGone.add() }).values {
            #expect(value == 1)
            break
        }
        #expect(isGone.value == 1)
    }

    @Test func `cancelling the task ends the loop and disposes the subscription`() async throws {
        let isGone = Tally()
        let isThere = AsyncStream<Void>.makeStream()
        let source = Observable<Int>.never().do(onSubscribed: { isThere.continuation.yield() }, onDispose: { isGone.add() })
        let task = Task {
            var count = 0
            for try await _ in source.values { count += 1 }
            return count
        }
        for await _ in isThere.stream { break }
        task.cancel()
        #expect(try await task.value == 0)
        #expect(isGone.value == 1)
    }

    @Test(arguments: [
        (BufferingPolicy.unbounded, [1, 2, 3, 4]),
        (.latest, [4]),
        (.dropOldest(capacity: 2), [3, 4]),
        (.dropNewest(capacity: 2), [1, 2]),
    ])
    func `pending elements follow the policy`(policy: BufferingPolicy, kept: [Int]) async throws {
        var taken: [Int] = []
        for try await value in Observable.of(1, 2, 3, 4).values(overflow: policy) { taken.append(value) }
        #expect(taken == kept)
    }

    @Test func `an overflow is an error after the buffered elements, and disposes the source`() async {
        let isGone = Tally()
        let subject = ReplaySubject<Int>(bufferSize: 3)
        for value in 1...3 { subject.onNext(value) }
        let policy = BufferingPolicy.fail(capacity: 2)
        var taken: [Int] = []
        await #expect(throws: StreamError.overflow(capacity: 2)) {
            for try await value in subject.do(onDispose: { isGone.add() }).values(overflow: policy) { taken.append(value) }
        }
        #expect(taken == [1, 2])
        #expect(isGone.value == 1)
    }

    @Test func `the values of a driver need no try`() async {
        var taken: [Int] = []
        for await value in Driver.of(1, 2).values { taken.append(value) }
        #expect(taken == [1, 2])
    }

    @Test func `an async sequence becomes a stream`() async throws {
        let numbers = AsyncStream { continuation in
            for value in 1...3 { continuation.yield(value) }
            continuation.finish()
        }
        #expect(try await Observable.from(numbers).array() == [1, 2, 3])
        #expect(try await Task { 5 }.asObservable().firstElement() == 5)
    }

    @Test func `disposing cancels the task of fromAsync`() async {
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

    @Test func `the first element, the last and all are awaited`() async throws {
        let stream = Observable.of(1, 2, 3)
        #expect(try await stream.firstElement() == 1)
        #expect(try await stream.firstElement { $0 > 1 } == 2)
        #expect(try await stream.lastElement() == 3)
        #expect(try await stream.array() == [1, 2, 3])
        await #expect(throws: StreamError.noElements) { try await Observable<Int>.empty().firstElement() }
        await #expect(throws: StreamError.noElements) { try await Observable<Int>.empty().lastElement() }
        await #expect(throws: Received.Failure.self) { try await Observable<Int>.error(Received.Failure()).array() }
    }

    @Test func `mapAsync keeps the order and runs one task at a time`() async throws {
        let log = Output()
        let results = try await Observable.of(3, 1, 2).mapAsync { value in
            log.print("begin \(value)")
            for _ in 0..<value { await Task.yield() }
            log.print("end \(value)")
            return value
        }.array()
        #expect(results == [3, 1, 2])
        #expect(log.lines == ["begin 3", "end 3", "begin 1", "end 1", "begin 2", "end 2"])
    }

    @Test func `flatMapAsync runs as many at once as allowed`() async throws {
        let running = Lock((now: 0, most: 0))
        let results = try await Observable.range(start: 0, count: 12).flatMapAsync(maxConcurrent: 3) { value in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<10 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return value
        }.array()
        #expect(results.sorted() == Array(0..<12))
        #expect(running.withLock { $0.most } <= 3)
    }
}

@MainActor
@Suite(.countsResources) struct `Streams of observed models` {
    @Observation.Observable final class Model {
        var title = "a"
        var other = 0
    }

    @Test func `observed properties are emitted initially and after each change`() async throws {
        let model = Model()
        var titles = Streams.Observable.observe { model.title }.values.makeAsyncIterator()
        #expect(try await titles.next() == "a")
        model.other = 1
        model.title = "b"
        #expect(try await titles.next() == "b")
    }
}
