import Dispatch
import Streams
import StreamsTesting
import Testing

/// Contexts and streams, both ways.
@Suite("Contexts and streams, both ways", .countsResources) struct ContextBridgeTests {
    let output = Output()
    let context = Context<Int>()

    @Test func `outcomes replays the stored one and sends every later one`() {
        context.emit(data: 1)
        let subscription = context.outcomes.subscribe { [output] event in output.print(event) }
        context.emit(error: Failure.some).emit(data: 2).cancel()
        #expect(output.lines == ["next(data(1))", "next(failure(some))", "next(data(2))", "next(cancelled)"])
        subscription.dispose()
    }

    @Test func `outcomes completes when the context is gone`() {
        do {
            let short = Context<Int>()
            _ = short.outcomes.subscribe { [output] event in output.print(event) }
            #expect(output.lines.isEmpty)
            short.emit(data: 1)
        }
        #expect(output.lines == ["next(data(1))", "completed"])
    }

    @Test func `asObservable is the first outcome`() {
        let acts: [(Context<Int>) -> Observer<Int>] = [{ $0.emit(data: 1) }, { $0.emit(error: Failure.some) }, { $0.cancel() }]
        for (index, act) in acts.enumerated() {
            let output = Output()
            let (early, late) = (Context<Int>(), Context<Int>())
            _ = early.asObservable().subscribe { output.print("early \($0)") }
            _ = act(early)
            early.emit(data: 7)
            _ = act(late).asObservable().subscribe { output.print("late \($0)") }
            let expected = [["next(1)", "completed"], ["error(some)"], ["completed"]][index]
            #expect(output.lines == expected.map { "early \($0)" } + expected.map { "late \($0)" })
        }
    }

    @Test func `Disposing an asObservable subscription does not cancel the operation`() {
        let operation = Operation<Int>()
        let context = operation.start()
        context.asObservable().subscribe { _ in }.dispose()
        #expect(operation.disposals == 0)
        context.cancel()
    }

    @Test func `asObserver makes a subject of a context`() {
        output.listen(context)
        let observer = context.asObserver()
        observer.onNext(1)
        observer.onCompleted()
        observer.onError(Failure.some)
        observer.onNext(2)
        #expect(output.lines == ["data 1", "defer", "error some", "defer", "data 2", "defer"])
    }

    @Test func `asContext subscribes immediately and forwards events`() {
        let operation = Operation<Int>()
        let context = operation.start()
        #expect(operation.starts == 1)
        output.listen(context)
        operation.send(.next(1))
        operation.send(.next(2))
        operation.send(.error(Failure.some))
        #expect(output.lines == ["data 1", "defer", "data 2", "defer", "error some", "defer"])
    }

    @Test func `A stream becomes a multicast context`() {
        let shared = Observable.just(1).asMulticastContext()
        output.listen(shared, as: "a ")
        output.listen(shared, as: "b ")
        #expect(output.lines == ["a data 1", "a defer", "b data 1", "b defer"])
    }

    @Test func `A stream becomes a context on a scheduler or on a queue`() {
        let scheduler = VirtualTimeScheduler()
        output.listen(Observable.just(1).asContext(on: scheduler))
        #expect(output.lines.isEmpty)
        scheduler.run()
        #expect(output.lines == ["data 1", "defer"])

        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "test")
        queue.setSpecific(key: key, value: true)
        Observable.just(2).asContext(on: queue).onCompleted { [output] model in
            output.print("\(model) \(DispatchQueue.getSpecific(key: key) ?? false)")
        }
        #expect(output.lines(count: 3).last == "2 true")
    }

    @Test func `dispatchOn takes a scheduler, and what follows runs there`() {
        let scheduler = VirtualTimeScheduler()
        output.listen(context.dispatchOn(scheduler).map { $0 + 1 })
        context.emit(data: 1)
        #expect(output.lines.isEmpty)
        scheduler.run()
        #expect(output.lines == ["data 2", "defer"])
        context.cancel()
        scheduler.run()
    }

    @Test func `An async context replays on its queue too`() {
        let scheduler = VirtualTimeScheduler()
        let source = Context<Int>().emit(data: 1)
        let async = source.dispatchOn(scheduler)
        scheduler.run()
        output.listen(async)
        output.listen(async.map { $0 }, as: "mapped ")
        #expect(output.lines.isEmpty)
        scheduler.run()
        #expect(output.lines.sorted() == ["data 1", "defer", "mapped data 1", "mapped defer"])
        source.cancel()
        scheduler.run()
    }

    @Test func `A concurrent queue is used serially, in the order of the outcomes`() {
        let count = 1_000
        let busy = Tally()
        let mostBusy = Lock(0)
        let async = context.dispatchOn(.global(qos: .userInitiated))
        async.onCompleted { [output] model in
            let now = busy.add()
            mostBusy.withLock { $0 = max($0, now) }
            output.print("\(model)")
            busy.add(-1)
        }
        for model in 0..<count { context.emit(data: model) }
        #expect(output.lines(count: count) == (0..<count).map(String.init))
        #expect(mostBusy.withLock { $0 } == 1)
    }

    @Test func `value gives the stored and the coming data`() async throws {
        #expect(try await Observer.emit(data: 1).value == 1)
        let queue = DispatchQueue(label: "test")
        queue.async { [context] in context.emit(data: 2) }
        #expect(try await context.value == 2)
    }

    @Test func `value throws the error`() async {
        await #expect(throws: Failure.some) { try await Observer<Int>.emit(error: Failure.some).value }
    }

    @Test func `value throws CancellationError for a cancelled context`() async {
        context.cancel()
        await #expect(throws: CancellationError.self) { try await context.value }
    }

    @Test func `Cancelling the awaiting task stops the waiting and not the operation`() async {
        let operation = Operation<Int>()
        let context = operation.start()
        let task = Task { try await context.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(operation.disposals == 0)
        output.listen(context)
        operation.succeed(1)
        #expect(output.lines == ["data 1", "defer"])
    }
}

extension Output {
    fileprivate func print(_ event: Event<Outcome<Int>>) {
        switch event {
        case .next(.data(let model)): print("next(data(\(model)))")
        case .next(.failure(let error)): print("next(failure(\(error)))")
        case .next(.cancelled): print("next(cancelled)")
        case .error, .completed: print("\(event)")
        }
    }
}
