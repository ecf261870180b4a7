import Dispatch
import Streams
import StreamsTesting
import Testing

/// `process` shows contexts and their logs when there is an outcome.
@Suite("process", .countsResources) struct ContextProcessTests {
    private let output = Output()

    @Test func `process waits for the outcome`() {
        let operation = Operation<Int>()
        operation.start().log("request").process { [output] in output.print("log \($0.log?.description ?? "-")") }
            .onCompleted { [output] in output.print("data \($0)") }
        #expect(output.lines == [])
        operation.succeed(1)
        #expect(output.lines == ["log request", "data 1"])
    }

    @Test func `process is called at once where an outcome is stored`() {
        Observer.emit(data: 1).log("stored").process { [output] in output.print("log \($0.log?.description ?? "-")") }
        #expect(output.lines == ["log stored"])
    }

    @Test func `process is called at each outcome, and at a cancel from behind it`() {
        let context = Context<Int>()
        let processed = context.process { [output] _ in output.print("outcome") }
        output.listen(processed, as: "derived ")
        context.emit(data: 1)
        context.emit(error: Failure.some)
        processed.cancel()
        #expect(
            output.lines == [
                "outcome", "derived data 1", "derived defer", "outcome", "derived error some", "derived defer", "derived cancelled",
                "outcome",
            ])
    }

    @Test func `process sees the log of a context that nobody holds when its queue delivers`() {
        let (queue, operation) = (DispatchQueue(label: "delivery"), Operation<Int>())
        queue.suspend()
        operation.start().log("request").dispatchOn(queue).process { [output] in
            output.print("log \($0.log?.description ?? "-")")
            $0.onCompleted { output.print("data \($0)") }
        }
        operation.succeed(1)
        queue.resume()
        #expect(output.lines(count: 2) == ["log request", "data 1"])
    }

    @Test func `process sees every attempt of a retry behind it`() {
        let attempts = Tally()
        let flaky = Observable<Int>.deferred {
            let attempt = attempts.add()
            return attempt < 3 ? .error(Failure.some) : .just(attempt)
        }
        let context = flaky.asContext().process { [output] context in
            context.onError { output.print("\($0)") }.onCompleted { output.print("\($0)") }
        }.retry(5)
        output.listen(context)
        #expect(output.lines == ["some", "some", "3", "data 3", "defer"])
    }
}
