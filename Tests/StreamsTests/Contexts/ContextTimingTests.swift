import Streams
import StreamsTesting
import Testing

@Suite("Timing of contexts", .onOneThread, .countsResources) struct ContextTimingTests {
    let output = Output()
    let scheduler = VirtualTimeScheduler()
    let context = Context<Int>()

    @Test func `debounce sends what nothing followed`() {
        output.listen(context.debounce(.milliseconds(300), scheduler: scheduler))
        context.emit(data: 1)
        scheduler.advance(by: .milliseconds(200))
        context.emit(data: 2)
        scheduler.advance(by: .milliseconds(299))
        #expect(output.lines.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(output.lines == ["data 2", "defer"])
    }

    @Test func `A debounce forwards an error immediately and discards pending data`() {
        output.listen(context.debounce(.milliseconds(300), scheduler: scheduler))
        context.emit(data: 1).emit(error: Failure.some)
        #expect(output.lines == ["error some", "defer"])
        scheduler.run()
        #expect(output.lines == ["error some", "defer"])
    }

    @Test func `throttle sends the first and then the latest`() {
        output.listen(context.throttle(.milliseconds(100), scheduler: scheduler))
        context.emit(data: 1).emit(data: 2).emit(data: 3)
        #expect(output.lines == ["data 1", "defer"])
        scheduler.advance(by: .milliseconds(100))
        #expect(output.lines == ["data 1", "defer", "data 3", "defer"])
        context.emit(data: 4).emit(error: Failure.some)
        scheduler.run()
        #expect(output.lines.suffix(2) == ["error some", "defer"])
    }

    @Test func `throttle without the latest sends the first`() {
        output.listen(context.throttle(.milliseconds(100), latest: false, scheduler: scheduler))
        context.emit(data: 1).emit(data: 2)
        scheduler.advance(by: .milliseconds(100))
        context.emit(data: 3)
        #expect(output.lines == ["data 1", "defer", "data 3", "defer"])
    }

    @Test func `timeout fails when nothing came, and cancels the operation`() {
        let operation = Operation<Int>()
        output.listen(operation.start().timeout(.seconds(3), scheduler: scheduler))
        scheduler.advance(by: .seconds(3))
        #expect(output.lines == ["error timeout(after: 3.0 seconds)", "defer"])
        #expect(operation.disposals == 1)
    }

    @Test func `timeout forwards an outcome within its limit, and all later ones`() {
        output.listen(context.timeout(.seconds(3), scheduler: scheduler))
        scheduler.advance(by: .seconds(2))
        context.emit(data: 1)
        scheduler.advance(by: .seconds(60))
        context.emit(data: 2)
        #expect(output.lines == ["data 1", "defer", "data 2", "defer"])
        #expect(scheduler.isIdle)
    }

    @Test func `retry runs the stream at the beginning of the chain again`() {
        let attempts = Tally()
        let stream = Observable<Int>.deferred {
            let attempt = attempts.add()
            return attempt < 3 ? .error(Failure.some) : .just(attempt)
        }
        output.listen(stream.asContext().map { $0 * 10 }.retry(3))
        #expect(output.lines == ["data 30", "defer"])
        output.listen(Observable<Int>.error(Failure.some).asContext().retry(3))
        #expect(output.lines == ["data 30", "defer", "error some", "defer"])
    }

    @Test func `retry gives the number of attempts in all`() {
        let operation = Operation<Int>()
        output.listen(operation.start().retry(2))
        operation.send(.error(Failure.some))
        #expect(operation.starts == 2)
        operation.send(.error(Failure.other))
        #expect(operation.starts == 2)
        #expect(output.lines == ["error other", "defer"])
    }

    @Test func `retry runs every operation of the chain again`() {
        let (first, second) = (Operation<Int>(), Operation<Int>())
        output.listen(first.start().map { _ in second.start() }.retry(2))
        first.succeed(1)
        second.send(.error(Failure.some))
        first.succeed(1)
        second.succeed(2)
        #expect([first.starts, second.starts] == [2, 2])
        #expect(output.lines == ["data 2", "defer"])
    }

    @Test func `retry runs both of what was combined again`() {
        let (first, second) = (Operation<Int>(), Operation<Int>())
        output.listen(first.start().combine(second.start()).retry(2))
        first.send(.error(Failure.some))
        #expect([first.starts, second.starts] == [2, 2])
        first.succeed(1)
        second.succeed(2)
        #expect(output.lines == ["data (1, 2)", "defer"])
    }

    @Test func `retry waits between the attempts and keeps the operation for the next one`() {
        let operation = Operation<Int>()
        output.listen(operation.start().retry(.delay(.seconds(1), maxAttempts: 2), scheduler: scheduler))
        operation.send(.error(Failure.some))
        #expect(operation.starts == 1)
        scheduler.advance(by: .seconds(1))
        #expect(operation.starts == 2)
        operation.succeed(1)
        #expect(output.lines == ["data 1", "defer"])
    }

    @Test func `A cancel between two attempts prevents the next one`() {
        let operation = Operation<Int>()
        let context = output.listen(operation.start().retry(.delay(.seconds(1), maxAttempts: 2), scheduler: scheduler))
        operation.send(.error(Failure.some))
        context.cancel()
        scheduler.run()
        #expect(operation.starts == 1)
        #expect(output.lines == ["cancelled"])
    }

    @Test func `A timeout before a retry limits each attempt`() {
        let operation = Operation<Int>()
        output.listen(operation.start().timeout(.seconds(3), scheduler: scheduler).retry(2))
        scheduler.advance(by: .seconds(3))
        #expect([operation.starts, operation.disposals] == [2, 1])
        scheduler.advance(by: .seconds(2))
        operation.succeed(1)
        scheduler.advance(by: .seconds(60))
        #expect(output.lines == ["data 1", "defer"])
    }

    @Test func `The errors of a context that is fed by hand pass a retry`() {
        output.listen(context.retry(5))
        context.emit(error: Failure.some)
        #expect(output.lines == ["error some", "defer"])
    }

    @Test func `20,000 attempts that fail synchronously do not grow the stack`() {
        let attempts = Tally()
        let stream = Observable<Int>.deferred {
            attempts.add()
            return .error(Failure.some)
        }
        output.listen(stream.asContext().retry(20_000))
        #expect(attempts.value == 20_000)
        #expect(output.lines == ["error some", "defer"])
    }
}
