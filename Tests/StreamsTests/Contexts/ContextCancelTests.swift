import Dispatch
import Streams
import StreamsTesting
import Testing

@Suite("Cancelled contexts", .countsResources) struct ContextCancelTests {
    let output = Output()

    @Test func `A cancel goes upstream through every operator to the operation, once, and tells each listener once`() {
        let chains: [@Sendable (Observer<Int>) -> Observer<Int>] = [
            { $0.map { $0 } }, { $0.map { .emit(data: $0) } }, { $0.mapError { $0 } }, { $0.mapError { .emit(error: $0) } },
            { $0.catchError { (_: Failure) in } }, { $0.combine(Context<Int>()).map { $0.0 } },
            { Context<Int>().combine($0).map { $0.1 } }, { $0.combineTolerance(Context<Int>()).map { $0.0 ?? 0 } },
            { $0.chain { .emit(data: $0) }.map { $0.1 } }, { $0.process { _ in } }, { $0.multicast() }, { $0.multicast().map { $0 } },
            { $0.dispatchOn(ImmediateScheduler.instance) }, { $0.timeout(.seconds(1), scheduler: VirtualTimeScheduler()) },
            { $0.debounce(.seconds(1), scheduler: VirtualTimeScheduler()) },
            { $0.throttle(.seconds(1), scheduler: VirtualTimeScheduler()) }, { $0.retry(2) },
        ]
        for (index, chain) in chains.enumerated() {
            let output = Output()
            let operation = Operation<Int>()
            let source = operation.start()
            source.onCancelled { output.print("source") }
            let derived = chain(source)
            derived.onCancelled { output.print("derived") }
            derived.cancel().cancel()
            operation.succeed(1)
            #expect(operation.disposals == 1, "chain \(index)")
            #expect(output.lines == ["derived", "source"], "chain \(index)")
        }
    }

    @Test func `A cancel of a chain disposes every operation that still runs, and each once`() {
        let operations = (0..<4).map { _ in Operation<Int>() }
        let chain = operations[0].start()
            .combine(operations[1].start())
            .chain { _ in operations[2].start() }
            .map { _ in operations[3].start() }
        chain.onCancelled { output.print("cancelled") }
        operations[0].succeed(1)
        operations[1].send(.next(2))
        chain.cancel()
        #expect(operations.map(\.starts) == [1, 1, 1, 0])
        #expect(operations.map(\.disposals) == [1, 1, 1, 0])
        #expect(output.lines == ["cancelled"])
    }

    @Test func `A cancel of a derived context whose operation has ended does nothing`() {
        let operation = Operation<Int>()
        let derived = operation.start().map { $0 + 1 }.multicast().combine(.emit(data: 0)).mapError { $0 }
        output.listen(derived)
        operation.succeed(1)
        derived.cancel()
        output.listen(derived, as: "late ")
        #expect(output.lines == ["data (2, 0)", "defer", "late data (2, 0)", "late defer"])
    }

    @Test func `A cancel after an error that was caught does nothing`() {
        let operation = Operation<Int>()
        let derived = output.listen(operation.start().catchError { (_: Failure) in })
        operation.send(.error(Failure.some))
        derived.cancel()
        #expect(output.lines.isEmpty)
    }

    @Test func `A cancel while a next operation runs stops that one`() {
        let (first, second) = (Operation<Int>(), Operation<Int>())
        let derived = output.listen(first.start().map { _ in second.start() })
        first.succeed(1)
        derived.cancel()
        #expect(second.disposals == 1)
        #expect(output.lines == ["cancelled"])
    }

    @Test func `A cancel inside the mapper stops the operation that it starts`() {
        let operation = Operation<Int>()
        let context = Context<Int>()
        let cell = SharedCell<Observer<Int>>()
        let derived = context.map { _ in
            cell.value?.cancel()
            return operation.start()
        }
        cell.value = output.listen(derived)
        context.emit(data: 1)
        cell.value = nil
        #expect(operation.disposals == 1)
        #expect(output.lines == ["cancelled"])
    }

    @Test func `A branch of a multicast context is detached; the last one cancels the operation`() {
        let operation = Operation<Int>()
        let shared = operation.start().multicast()
        let first = output.listen(shared.map { $0 }, as: "first ")
        let second = output.listen(shared.map { $0 }, as: "second ")
        first.cancel()
        #expect(operation.disposals == 0)
        operation.send(.next(1))
        second.cancel()
        #expect(operation.disposals == 1)
        #expect(output.lines == ["first cancelled", "second data 1", "second defer", "second cancelled"])
    }

    @Test func `The multicast context itself cancels the operation and every branch`() {
        let operation = Operation<Int>()
        let shared = operation.start().multicast()
        output.listen(shared.map { $0 }, as: "first ")
        output.listen(shared.map { $0 }, as: "second ")
        shared.cancel()
        #expect(operation.disposals == 1)
        #expect(output.lines == ["first cancelled", "second cancelled"])
    }

    @Test func `A switch detaches the previous context from a multicast context without cancelling it for the others`() {
        let operation = Operation<Int>()
        let shared = operation.start().multicast()
        output.listen(shared.map { $0 }, as: "other ")
        let context = Context<Int>()
        output.listen(context.map { $0 == 1 ? shared : .emit(data: 0) })
        context.emit(data: 1).emit(data: 2)
        operation.succeed(5)
        #expect(operation.disposals == 1)
        #expect(output.lines == ["data 0", "defer", "other data 5", "other defer"])
    }

    @Test func `Dropping all references cancels nothing`() {
        let operation = Operation<Int>()
        operation.start().map { $0 + 1 }.multicast().onCompleted { [output] in output.print("\($0)") }
        #expect(operation.disposals == 0)
        operation.succeed(1)
        #expect(output.lines == ["2"])
    }

    @Test func `An async context can be cancelled while its outcome waits for the queue`() {
        let scheduler = VirtualTimeScheduler()
        let operation = Operation<Int>()
        let context = operation.start().dispatchOn(scheduler)
        let mapped = context.map { $0 }
        output.listen(context)
        output.listen(mapped, as: "mapped ")
        operation.succeed(1)
        context.cancel()
        scheduler.run()
        #expect(output.lines == ["cancelled", "mapped cancelled"])
    }

    @Test func `A listener that is removed or replaced receives nothing that waits for the queue`() {
        let scheduler = VirtualTimeScheduler()
        let context = Context<Int>()
        let (silenced, replaced) = (context.dispatchOn(scheduler), context.dispatchOn(scheduler))
        output.listen(silenced, as: "silenced ")
        replaced.onCompleted { [output] model in output.print("first \(model)") }
        context.emit(data: 1)
        silenced.unsubscribe()
        replaced.onCompleted { [output] model in output.print("second \(model)") }
        scheduler.run()
        #expect(output.lines == ["second 1"])
    }

    @Test func `An async context that has delivered cannot be cancelled`() {
        let scheduler = VirtualTimeScheduler()
        let operation = Operation<Int>()
        let context = operation.start().dispatchOn(scheduler)
        output.listen(context)
        operation.succeed(1)
        scheduler.run()
        context.cancel()
        scheduler.run()
        #expect(output.lines == ["data 1", "defer"])
    }
}
