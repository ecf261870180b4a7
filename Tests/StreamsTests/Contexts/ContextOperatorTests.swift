import Streams
import StreamsTesting
import Testing

@Suite("Operators of contexts", .onOneThread, .countsResources) struct ContextOperatorTests {
    let output = Output()
    let context = Context<Int>()

    @Test func `Every operator passes what it does not handle, the cancel included`() {
        let operators: [@Sendable (Context<Int>) -> Observer<Int>] = [
            { $0.map { $0 } },
            { $0.mapData { $0 } },
            { $0.map { .emit(data: $0) } },
            { $0.then { .emit(data: $0) } },
            { $0.mapError { $0 } },
            { $0.mapError { .emit(error: $0) } },
            { $0.error { .emit(error: $0) } },
            { $0.catchError { (_: StreamError) in } },
            { $0.combine(.emit(data: 0)).map { $0.0 } },
            { $0.chain { .emit(data: $0) }.map { $0.1 } },
            { $0.map { [$0] }.filter { _ in true }.map { $0[0] } },
            { $0.multicast() },
            { $0.process { _ in } },
            { $0.dispatchOn(ImmediateScheduler.instance) },
            { $0.throttle(.zero, scheduler: ImmediateScheduler.instance) },
            { $0.debounce(.zero, scheduler: ImmediateScheduler.instance) },
            { $0.timeout(.seconds(1), scheduler: VirtualTimeScheduler()) },
            { $0.retry(3) },
        ]
        for (index, apply) in operators.enumerated() {
            let output = Output()
            let context = Context<Int>()
            let derived = apply(context)
            output.listen(derived)
            context.emit(data: 1).emit(error: Failure.some)
            // An error has cancelled what was combined, so that no more data comes; everything else goes on.
            context.emit(data: 2).cancel()
            #expect(
                output.lines == ["data 1", "defer", "error some", "defer", "data 2", "defer", "cancelled"],
                "operator \(index)")
            let late = Output()
            late.listen(apply(context))
            #expect(late.lines == ["cancelled"], "operator \(index) on a cancelled context")
        }
    }

    @Test func `A throw in a mapper is the outcome`() {
        output.listen(context.map { _ -> Int in throw Failure.some }, as: "map ")
        output.listen(context.map { _ -> Observer<Int> in throw Failure.some }, as: "then ")
        output.listen(context.mapError { _ -> Observer<Int> in throw Failure.third }, as: "mapError ")
        output.listen(context.chain { _ -> Observer<Int>? in throw Failure.some }, as: "chain ")
        context.emit(data: 1)
        #expect(
            output.lines == [
                "map error some", "map defer", "then error some", "then defer", "mapError data 1", "mapError defer",
                "chain error some", "chain defer",
            ])
        context.emit(error: Failure.other)
        #expect(output.lines.suffix(4) == ["mapError error third", "mapError defer", "chain error other", "chain defer"])
    }

    @Test func `An operator does not change the context that it is called on`() {
        output.listen(context)
        _ = context.map { $0 * 100 }
        _ = context.mapError { _ in Failure.other }
        context.emit(data: 1).emit(error: Failure.some)
        #expect(output.lines == ["data 1", "defer", "error some", "defer"])
    }

    @Test func `A next operation started for an earlier outcome is cancelled and its late outcome dropped`() {
        let first = Operation<String>()
        let second = Operation<String>()
        output.listen(context.map { $0 == 1 ? first.start() : second.start() })
        context.emit(data: 1)
        context.emit(data: 2)
        #expect([first.disposals, second.disposals] == [1, 0])
        first.succeed("late")
        second.succeed("in time")
        #expect(output.lines == ["data in time", "defer"])
    }

    @Test func `An error cancels the operation that earlier data started`() {
        let operation = Operation<Int>()
        output.listen(context.map { _ in operation.start() })
        context.emit(data: 1).emit(error: Failure.some)
        operation.succeed(1)
        #expect(operation.disposals == 1)
        #expect(output.lines == ["error some", "defer"])
    }

    @Test func `Data cancels the operation that replaces an error`() {
        let replacement = Operation<Int>()
        output.listen(context.mapError { _ in replacement.start() })
        context.emit(error: Failure.some).emit(data: 2)
        replacement.succeed(1)
        #expect(replacement.disposals == 1)
        #expect(output.lines == ["data 2", "defer"])
    }

    @Test func `A mapper that returns the same running context twice does not cancel it`() {
        let cached = Observer.emit(data: "cached")
        output.listen(context.map { _ in cached })
        context.emit(data: 1).emit(data: 2)
        #expect(output.lines == ["data cached", "defer", "data cached", "defer"])
    }

    @Test func `A mapper that returns a shared context twice does not cancel it`() {
        let operation = Operation<String>()
        let shared = operation.start().multicast()
        output.listen(context.map { _ in shared })
        context.emit(data: 1).emit(data: 2)
        #expect(operation.disposals == 0)
        operation.succeed("shared")
        #expect(output.lines == ["data shared", "defer"])
    }

    @Test func `A next operation that gives several outcomes passes them all`() {
        let next = Context<Int>()
        output.listen(context.map { _ in next })
        context.emit(data: 0)
        next.emit(data: 1).emit(error: Failure.some).emit(data: 2)
        #expect(output.lines == ["data 1", "defer", "error some", "defer", "data 2", "defer"])
    }

    @Test func `chain reports a nil operation as cancelled and completes nothing more`() {
        let operation = Operation<Int>()
        let account = operation.start()
        output.listen(account, as: "account ")
        output.listen(account.chain { _ -> Observer<Int>? in nil })
        operation.send(.next(1))
        operation.send(.next(2))
        operation.send(.completed)
        #expect(output.lines == ["account data 1", "account defer", "cancelled", "account data 2", "account defer"])
    }

    @Test func `chain has the label of the listings too`() {
        output.listen(context.chain(with: { .emit(data: "\($0)!") }))
        context.emit(data: 1)
        #expect(output.lines == ["data (1, \"1!\")", "defer"])
    }

    @Test func `catchError leaves later outcomes alone`() {
        output.listen(context.catchError { [output] (error: Failure) in output.print("caught \(error)") })
        context.emit(error: Failure.some).emit(error: StreamError.noElements).emit(data: 1)
        #expect(output.lines == ["caught some", "error noElements", "defer", "data 1", "defer"])
    }

    @Test func `process hands the context over and keeps its listeners apart`() {
        let processed = context.process { [output] context in
            context.onCompleted { [output] in output.print("log \($0)") }
        }
        processed.onCompleted { [output] in output.print("data \($0)") }
        context.emit(data: 1)
        #expect(output.lines == ["log 1", "data 1"])
    }

    @Test func `A long chain with both kinds of map compiles and runs`() {
        let result = Observer.emit(data: 1)
            .mapData { (number: Int) -> Int in number + 1 }
            .mapData { (number: Int) -> Int in number * 2 }
            .then { Observer.emit(data: "\($0)") }
            .mapData { (text: String) -> String in text + "!" }
            .then { Observer.emit(data: [$0, $0]) }
            .filter { $0.hasSuffix("!") }
            .mapError { _ in Failure.some }
            .map { $0.count }
        output.listen(result)
        #expect(output.lines == ["data 2", "defer"])
    }
}
