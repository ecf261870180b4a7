import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("values", .countsResources) struct ValuesTests {
    private let numbers = Observable.range(start: 1, count: 6)

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

    @Test func `Leaving the loop disposes the subscription`() async throws {
        let isGone = Tally()
        let subject = BehaviorSubject(value: 1)
        for try await value in subject.do(onDispose: { isGone.add() }).values {
            #expect(value == 1)
            break
        }
        #expect(isGone.value == 1)
    }

    @Test func `Cancelling the task ends the loop and disposes the subscription`() async throws {
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

    @Test func `A cancelled loop ends although its source never makes it wait`() async throws {
        let isGone = Tally()
        let source = Observable.range(start: 0, count: 10_000).do(onDispose: { isGone.add() })
        let taken = try await Task {
            var taken = 0
            for try await _ in source.values {
                taken += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return taken
        }.value
        // The elements of the burst that it had taken.
        #expect((1...256).contains(taken))
        #expect(isGone.value == 1)
    }

    @Test(arguments: [
        (BufferingPolicy.unbounded, [1, 2, 3, 4]),
        (.latest, [4]),
        (.dropOldest(capacity: 2), [3, 4]),
        (.dropNewest(capacity: 2), [1, 2]),
    ])
    func `Pending elements follow the policy`(policy: BufferingPolicy, kept: [Int]) async throws {
        var taken: [Int] = []
        for try await value in Observable.of(1, 2, 3, 4).values(overflow: policy) { taken.append(value) }
        #expect(taken == kept)
    }

    @Test func `An overflow is an error after the buffered elements, and disposes the source`() async {
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

    @Test func `An overflow of values that cannot throw is reported`() async {
        let policy = BufferingPolicy.fail(capacity: 77)
        let reported = Tally()
        let before = Hooks.unhandledError
        Hooks.unhandledError = { error, place in
            guard error as? StreamError == .overflow(capacity: 77) else { return before(error, place) }
            reported.add()
        }
        defer { Hooks.unhandledError = before }
        var taken = 0
        for await _ in Infallible.from(0..<100).values(overflow: policy) { taken += 1 }
        #expect(taken == 77)
        #expect(reported.value == 1)
    }

    @Test func `The values of a driver need no try`() async {
        var taken: [Int] = []
        for await value in Driver.of(1, 2).values { taken.append(value) }
        #expect(taken == [1, 2])
    }

    @Test func `A loop that is cancelled while elements are emitted ends and disposes once`() async throws {
        for _ in 0..<rounds(2_000) {
            let (subject, disposals) = (PublishSubject<Int>(), Tally())
            let loop = Task {
                var taken: [Int] = []
                for try await number in subject.do(onDispose: { disposals.add() }).values { taken.append(number) }
                return taken
            }
            async let emitted: Void = emit(10, into: subject)
            await Task.yield()
            loop.cancel()
            let taken = try await loop.value
            await emitted
            #expect(taken == Array(taken.sorted().prefix(10)))
            #expect(disposals.value == 1)
        }
    }

    @Test func `Elements are mapped, filtered and limited`() async throws {
        var taken: [String] = []
        for try await text in numbers.values.filter({ $0.isMultiple(of: 2) }).map({ "\($0)" }).prefix(2) { taken.append(text) }
        #expect(taken == ["2", "4"])
        var late: [Int] = []
        for try await number in try numbers.values.dropFirst(2).drop(while: { $0 < 4 }).prefix(while: { $0 < 6 }) { late.append(number) }
        #expect(late == [4, 5])
        var halves: [Int] = []
        for try await half in numbers.values.compactMap({ $0.isMultiple(of: 2) ? $0 / 2 : nil }) { halves.append(half) }
        #expect(halves == [1, 2, 3])
        var pairs: [Int] = []
        for try await number in numbers.values.prefix(2).flatMap({ Observable.of($0, $0 * 10).values }) { pairs.append(number) }
        #expect(pairs == [1, 10, 2, 20])
    }

    @Test func `Elements are reduced and searched`() async throws {
        let sum = try await numbers.values.reduce(0) { $0 + $1 }
        #expect(sum == 21)
        #expect(try await numbers.values.reduce(into: []) { $0.append($1) } == [1, 2, 3, 4, 5, 6])
        #expect(try await numbers.values.first(where: { $0 > 3 }) == 4)
        #expect(try await numbers.values.contains(5))
        #expect(try await numbers.values.allSatisfy { $0 < 7 })
        #expect(try await numbers.values.min() == 1)
        #expect(try await numbers.values.max() == 6)
    }

    @Test func `An operator that ends early disposes the subscription`() async throws {
        let disposals = Tally()
        let endless = BehaviorSubject(value: 7).do(onDispose: { disposals.add() })
        #expect(try await endless.values.first { $0 == 7 } == 7)
        for try await _ in endless.values.prefix(1) {}
        #expect(try await endless.values.contains(7))
        await wait { disposals.value == 3 }
        #expect(disposals.value == 3)
    }

    @Test func `An error passes through the operators, and those of a driver do not throw`() async {
        await #expect(throws: Received.Failure.self) {
            try await Observable.concat(numbers, .error(Received.Failure())).values.map { $0 * 2 }.reduce(0, +)
        }
        #expect(await Driver.of(1, 2).values.map { $0 * 2 }.reduce(0, +) == 6)
        #expect(await Driver.of(1, 2).values.first { $0 > 1 } == 2)
    }

    @Test func `The elements of a stream are tasks of a group`() async throws {
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for try await number in Observable.of(1, 2, 3).values { group.addTask { number * number } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 14)
    }
}
