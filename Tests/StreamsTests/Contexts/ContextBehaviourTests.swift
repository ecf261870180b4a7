import Streams
import StreamsTesting
import Testing

/// The table of behaviours of a context, line by line.
@Suite("The table of behaviours of a context", .countsResources) struct ContextBehaviourTests {
    let output = Output()
    let context = Context<Int>()

    @Test func `Data calls onCompleted and then defer`() {
        output.listen(context)
        context.emit(data: 1)
        #expect(output.lines == ["data 1", "defer"])
    }

    @Test func `An error calls onError and then defer`() {
        output.listen(context)
        context.emit(error: Failure.some)
        #expect(output.lines == ["error some", "defer"])
    }

    @Test func `A context that is combined with itself many times over is cancelled, with each of its contexts looked at once`() {
        var combined: Observer<Int> = Observer.emit(data: 1)
        for _ in 0..<60 { combined = combined.combine(combined.mapData { $0 }).mapData { first, _ in first } }
        combined.cancel()
        output.listen(combined)
        #expect(output.lines == ["data 1", "defer"])
    }

    @Test func `A cancel calls onCancelled and not defer`() {
        output.listen(context)
        context.cancel()
        #expect(output.lines == ["cancelled"])
    }

    @Test func `Each kind is called at once for the stored outcome`() {
        context.emit(data: 1)
        output.listen(context)
        context.emit(error: Failure.some)
        output.listen(context, as: "late ")
        #expect(output.lines == ["data 1", "defer", "error some", "defer", "late error some", "late defer"])
    }

    @Test func `onCancelled is called at once on a cancelled context`() {
        context.cancel()
        output.listen(context)
        #expect(output.lines == ["cancelled"])
    }

    @Test func `A cancel erases the data and the error`() {
        context.emit(data: 1).cancel()
        output.listen(context)
        output.listen(Context<Int>().emit(error: Failure.some).cancel())
        #expect(output.lines == ["cancelled", "cancelled"])
    }

    @Test func `A cancel is final`() {
        output.listen(context)
        context.cancel()
        context.emit(data: 1).emit(error: Failure.some).cancel()
        #expect(output.lines == ["cancelled"])
    }

    @Test func `A cancel drops the listeners and what they hold`() {
        weak var held: Output?
        do {
            let captured = Output()
            held = captured
            captured.listen(context)
        }
        #expect(held != nil)
        context.cancel()
        #expect(held == nil)
    }

    @Test func `A cancelled context does not keep a late listener`() {
        context.cancel()
        weak var held: Output?
        do {
            let captured = Output()
            held = captured
            captured.listen(context)
        }
        #expect(held == nil)
    }

    @Test func `A cancel disposes the operation once`() {
        let operation = Operation<Int>()
        let running = operation.start()
        running.cancel().cancel()
        #expect(operation.disposals == 1)
    }

    @Test func `A cancel after the end of the operation does nothing`() {
        let operation = Operation<Int>()
        let ended = output.listen(operation.start())
        operation.succeed(1)
        ended.cancel()
        output.listen(ended, as: "late ")
        #expect(output.lines == ["data 1", "defer", "late data 1", "late defer"])
    }

    @Test func `A cancel of a context that was made with its outcome does nothing`() {
        output.listen(Observer.emit(data: 1).cancel())
        output.listen(Observer.emit(data: 1).map { $0 + 1 }.cancel(), as: "mapped ")
        output.listen(Observer<Int>.emit(error: Failure.some).cancel(), as: "failed ")
        #expect(output.lines == ["data 1", "defer", "mapped data 2", "mapped defer", "failed error some", "failed defer"])
    }

    @Test func `What nodes and operators return as an observer cannot be cast to emit`() {
        let node = AnyNode<Int, Int> { .just($0) }
        let observers = [node.process(1), context.map { $0 }, context.process { _ in }, context.retry(2), context.observer]
        #expect(observers.allSatisfy { !($0 is Context<Int>) })
    }

    @Test func `The observer of a context has its outcomes, and cancels it`() {
        let observer = output.listen(context.observer)
        context.emit(data: 1)
        observer.cancel()
        context.emit(data: 2)
        #expect(output.lines == ["data 1", "defer", "cancelled"])
    }

    @Test func `A cancel after the failure of the operation does nothing, also from inside the listener`() {
        let operation = Operation<Int>()
        let failing = operation.start()
        failing.onError { [output] error in
            output.print("error \(error)")
            failing.cancel()
        }
        failing.onCancelled { [output] in output.print("cancelled") }
        operation.send(.error(Failure.some))
        #expect(output.lines == ["error some"])
        failing.unsubscribe()
    }

    @Test func `unsubscribe drops all listeners`() {
        output.listen(context)
        context.unsubscribe()
        context.emit(data: 1).emit(error: Failure.some).cancel()
        #expect(output.lines.isEmpty)
    }

    @Test func `unsubscribe inside a listener silences the rest of this delivery`() {
        output.listen(context)
        context.onCompleted { [output, context] model in
            output.print("data \(model)")
            context.unsubscribe()
        }
        context.emit(data: 1)
        #expect(output.lines == ["data 1"])
    }

    @Test func `unsubscribe leaves operators and streams`() {
        let mapped = context.map { $0 + 1 }
        output.listen(mapped)
        context.unsubscribe().emit(data: 1)
        #expect(output.lines == ["data 2", "defer"])
    }

    @Test func `Operators, streams and value use no listener slot`() async throws {
        output.listen(context)
        let mapped = context.map { $0 + 1 }
        let subscription = context.outcomes.subscribe { _ in }
        let single = context.asObservable().subscribe { _ in }
        context.emit(data: 1)
        #expect(try await context.value == 1)
        #expect(try await mapped.value == 2)
        #expect(output.lines == ["data 1", "defer"])
        subscription.dispose()
        single.dispose()
    }

    @Test func `A second registration replaces the listener and receives the stored outcome`() {
        context.emit(data: 1)
        context.onCompleted { [output] in output.print("first \($0)") }
        context.onCompleted { [output] in output.print("second \($0)") }
        context.emit(data: 2)
        #expect(output.lines == ["first 1", "second 1", "second 2"])
    }

    @Test func `A registration inside a listener receives the stored outcome and replaces the previous one`() {
        let (output, context) = (output, context)
        context.onCompleted { model in
            output.print("first \(model)")
            context.emit(data: 2)
            context.onCompleted { output.print("second \($0)") }
        }
        context.emit(data: 1)
        #expect(output.lines == ["first 1", "second 2"])
        context.emit(data: 3)
        #expect(output.lines == ["first 1", "second 2", "second 3"])
    }

    @Test func `A multicast context keeps all listeners, kind by kind`() {
        let shared = MulticastContext<Int>()
        output.listen(shared, as: "a ")
        output.listen(shared, as: "b ")
        shared.emit(data: 1)
        shared.emit(error: Failure.some)
        shared.cancel()
        #expect(
            output.lines == [
                "a data 1", "b data 1", "a defer", "b defer", "a error some", "b error some", "a defer", "b defer",
                "a cancelled", "b cancelled",
            ])
    }

    @Test func `A static emit has its outcome already`() {
        output.listen(Observer.emit(data: 1))
        output.listen(Observer<Int>.emit(error: Failure.some))
        #expect(output.lines == ["data 1", "defer", "error some", "defer"])
    }

    @Test func `An error may be followed by data, and data by an error`() {
        output.listen(context)
        context.emit(error: Failure.some).emit(data: 1).emit(error: Failure.other)
        #expect(output.lines == ["error some", "defer", "data 1", "defer", "error other", "defer"])
    }

    @Test func `Emissions inside a listener are queued`() {
        let (output, context) = (output, context)
        output.listen(context)
        context.onCompleted { model in
            output.print("begin \(model)")
            if model < 3 { context.emit(data: model + 1) }
            output.print("end \(model)")
        }
        context.emit(data: 1)
        context.unsubscribe()
        #expect(output.lines == ["begin 1", "end 1", "defer", "begin 2", "end 2", "defer", "begin 3", "end 3", "defer"])
    }

    @Test func `A cancel inside a listener comes after what was accepted before`() {
        let (output, context) = (output, context)
        output.listen(context)
        context.onCompleted { model in
            output.print("data \(model)")
            guard model == 1 else { return }
            context.emit(data: 2).cancel().emit(data: 3)
        }
        context.emit(data: 1)
        #expect(output.lines == ["data 1", "defer", "data 2", "defer", "cancelled"])
    }

    @Test(.onOneThread) func `Twenty thousand emissions from inside a listener do not grow the stack`() {
        let count = Lock(0)
        context.onCompleted { [context] model in
            count.withLock { $0 += 1 }
            if model < 20_000 { context.emit(data: model + 1) }
        }
        context.emit(data: 1)
        context.unsubscribe()
        #expect(count.withLock { $0 } == 20_000)
    }
}
