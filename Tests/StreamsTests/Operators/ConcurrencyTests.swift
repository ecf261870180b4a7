import Foundation
import Streams
import StreamsTesting
import Testing

/// Collects what it is sent.
actor Ledger {
    var numbers: [Int] = []
    var ends: [String] = []

    func add(_ number: Int) { numbers.append(number) }
}

/// Waits until something has happened that other threads do.
private func wait(until isDone: @Sendable () async -> Bool) async {
    let limit = ContinuousClock.now + .seconds(600)
    while await !isDone(), ContinuousClock.now < limit { await Task.yield() }
}

@Suite(.countsResources) struct `Priorities of tasks` {
    @Test(arguments: [TaskPriority.high, .medium, .low])
    func `a task has the priority of the task that subscribes`(priority: TaskPriority) async throws {
        let seen = try await Task(priority: priority) {
            try await Observable.fromAsync { Task.basePriority }.firstElement()
        }.value
        #expect(seen == priority)
    }

    @Test func `a priority that is given counts`() async throws {
        let seen = try await Task(priority: .high) {
            try await Observable.fromAsync(priority: .low) { Task.basePriority }.firstElement()
        }.value
        #expect(seen == .low)
        let children = try await Observable.fromTaskGroup(priority: .low) { group in group.addTask { Task.basePriority } }.firstElement()
        #expect(children == .low)
    }

    @Test func `mapAsync keeps the priority of the subscriber, wherever the elements are emitted`() async throws {
        let background = SerialDispatchQueueScheduler(qos: .background)
        let seen = try await Task(priority: .high) {
            try await Observable.of(1, 2).observe(on: background).mapAsync { _ in Task.basePriority }.array()
        }.value
        #expect(seen == [.high, .high])
        let given = try await Observable.of(1).flatMapAsync(priority: .low) { _ in Task.basePriority }.array()
        #expect(given == [.low])
    }
}

@Suite(.countsResources) struct `Operators of asynchronous sequences behind values` {
    private let numbers = Observable.range(start: 1, count: 6)

    @Test func `elements are mapped, filtered and limited`() async throws {
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

    @Test func `elements are reduced and searched`() async throws {
        let sum = try await numbers.values.reduce(0) { $0 + $1 }
        #expect(sum == 21)
        #expect(try await numbers.values.reduce(into: []) { $0.append($1) } == [1, 2, 3, 4, 5, 6])
        #expect(try await numbers.values.first(where: { $0 > 3 }) == 4)
        #expect(try await numbers.values.contains(5))
        #expect(try await numbers.values.allSatisfy { $0 < 7 })
        #expect(try await numbers.values.min() == 1)
        #expect(try await numbers.values.max() == 6)
    }

    @Test func `an operator that ends early disposes the subscription`() async throws {
        let disposals = Tally()
        let endless = BehaviorSubject(value: 7).do(onDispose: { disposals.add() })
        #expect(try await endless.values.first { $0 == 7 } == 7)
        for try await _ in endless.values.prefix(1) {}
        #expect(try await endless.values.contains(7))
        await wait { disposals.value == 3 }
        #expect(disposals.value == 3)
    }

    @Test func `an error passes through the operators, and those of a driver do not throw`() async {
        await #expect(throws: Received.Failure.self) {
            try await Observable.concat(numbers, .error(Received.Failure())).values.map { $0 * 2 }.reduce(0, +)
        }
        #expect(await Driver.of(1, 2).values.map { $0 * 2 }.reduce(0, +) == 6)
        #expect(await Driver.of(1, 2).values.first { $0 > 1 } == 2)
    }
}

@Suite(.countsResources) struct `Task groups and streams` {
    @Test func `the results of a group are emitted as they return`() async throws {
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

    @Test func `the first error ends the stream and cancels the other tasks`() async {
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

    @Test func `disposing cancels the tasks of the group`() async {
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

    @Test func `the elements of a stream are tasks of a group`() async throws {
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for try await number in Observable.of(1, 2, 3).values { group.addTask { number * number } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 14)
    }
}

@Suite(.countsResources) struct `Actors as sources and sinks` {
    /// An actor that is a source and a sink, with no `Task`.
    private actor Counter {
        nonisolated let totals = BehaviorRelay(value: 0)
        private let bag = DisposeBag()
        private(set) var total = 0

        func follow(_ numbers: Observable<Int>) {
            numbers.subscribe(isolatedTo: self) { counter, number in
                counter.total += number
                counter.totals.accept(counter.total)
            }.disposed(by: bag)
        }
    }

    @Test func `an actor is a sink and a source`() async throws {
        let counter = Counter()
        await counter.follow(.of(1, 2, 3))
        #expect(try await counter.totals.firstElement { $0 == 6 } == 6)
        #expect(await counter.total == 6)
    }

    @Test func `an isolated method of an actor is called for each element, in order, and then its end`() async {
        let ledger = Ledger()
        let source = Observable.range(start: 0, count: 10_000).subscribe(on: SerialDispatchQueueScheduler())
        let subscription = source.subscribe(
            isolatedTo: ledger, onNext: { $0.add($1) }, onError: { ledger, _ in ledger.ends.append("error") },
            onCompleted: { $0.ends.append("completed") })
        await wait { await !ledger.ends.isEmpty }
        #expect(await ledger.numbers == Array(0..<10_000))
        #expect(await ledger.ends == ["completed"])
        subscription.dispose()
    }

    @Test func `an error follows the elements`() async {
        let ledger = Ledger()
        let subscription = Observable.concat(.of(1, 2), .error(Received.Failure())).subscribe(
            isolatedTo: ledger, onNext: { $0.add($1) }, onError: { ledger, error in ledger.ends.append("\(error is Received.Failure)") },
            onCompleted: { $0.ends.append("completed") })
        await wait { await !ledger.ends.isEmpty }
        #expect(await ledger.numbers == [1, 2])
        #expect(await ledger.ends == ["true"])
        subscription.dispose()
    }

    @Test func `what the actor has not taken follows the policy`() async {
        let ledger = Ledger()
        let subscription = Observable.of(1, 2, 3).subscribe(
            isolatedTo: ledger, overflow: .fail(capacity: 1), onNext: { $0.add($1) },
            onError: { ledger, error in ledger.ends.append("\(error as? StreamError == .overflow(capacity: 1))") })
        await wait { await !ledger.ends.isEmpty }
        #expect(await ledger.ends == ["true"])
        subscription.dispose()
    }

    @Test func `disposed on the actor, it receives nothing more`() async {
        let (ledger, holder, disposals) = (Ledger(), SingleAssignmentDisposable(), Tally())
        let subject = ReplaySubject<Int>(bufferSize: 5)
        for number in 1...5 { subject.onNext(number) }
        holder.setDisposable(
            subject.do(onDispose: { disposals.add() }).subscribe(isolatedTo: ledger) { ledger, number in
                ledger.add(number)
                if number == 2 { holder.dispose() }
            })
        await wait { disposals.value == 1 }
        for _ in 0..<50 { await Task.yield() }
        #expect(await ledger.numbers == [1, 2])
        #expect(disposals.value == 1)
    }

    @Test func `an actor is not kept alive by its subscription, which ends after it`() async {
        let (subject, disposals, deliveries) = (PublishSubject<Int>(), Tally(), Tally())
        var ledger: Ledger? = Ledger()
        weak let released = ledger
        let subscription = subject.do(onDispose: { disposals.add() }).subscribe(isolatedTo: ledger!) { _, _ in deliveries.add() }
        subject.onNext(1)
        await wait { deliveries.value == 1 }
        ledger = nil
        await wait { released == nil }
        subject.onNext(2)
        await wait { disposals.value == 1 }
        #expect(disposals.value == 1 && deliveries.value == 1)
        subscription.dispose()
    }
}
