import Dispatch
import Streams
import StreamsTesting
import Testing

/// What the nodes of an operation note is the log of its context.
@Suite(.countsResources) struct ContextNotesTests {
    /// A node that notes its input, and its output or why there is none.
    private struct Doubling: Node {
        func stream(_ input: Int) -> Observable<Int> {
            .logging { log in
                log.note(.info, "Doubling", "in \(input)")
                guard input >= 0 else { throw Failure.some }
                return Observable.just(input * 2).noting(.debug, as: "Doubling") { $0.element.map { "out \($0)" } }
            }
        }
    }

    private let node = Doubling()

    private static func lines(_ input: Int) -> [String] {
        ["[info] Doubling: in \(input)", "[debug] Doubling: out \(input * 2)"]
    }

    @Test func `an operation has what its nodes noted, behind a node and behind any stream`() {
        #expect(node.process(1).log?.messages == Self.lines(1))
        #expect(node.stream(2).map { $0 + 1 }.asContext().log?.messages == Self.lines(2))
        #expect(node.stream(3).asMulticastContext().log?.messages == Self.lines(3))
        #expect(node.process(-1).log?.messages == ["[info] Doubling: in -1"])
    }

    @Test func `a stream whose nodes note nothing has no log`() {
        #expect(Observable.just(1).asContext().log == nil)
        #expect(Observable.just(1).asContext().map { $0 }.log == nil)
    }

    @Test func `operations one after another and side by side hand their notes on in order`() {
        let node = node
        #expect(node.process(1).map { node.process($0) }.log?.messages == Self.lines(1) + Self.lines(2))
        #expect(node.process(1).chain { node.process($0 + 5) }.log?.messages == Self.lines(1) + Self.lines(7))
        #expect(node.process(-1).mapError { _ in node.process(4) }.log?.messages == ["[info] Doubling: in -1"] + Self.lines(4))
        #expect(node.process(3).combine(node.process(5)).log?.messages == Self.lines(3) + Self.lines(5))
        #expect(node.process(3).log("sent").combineTolerance(node.process(5)).log?.messages == Self.lines(3) + ["sent"] + Self.lines(5))
    }

    @Test func `a logger inside has the messages as well, and filters only its own`() {
        let logs = Lock([OperationLog]())
        let inner = LoggerNode(filter: .from(.info), sink: { log in logs.withLock { $0.append(log) } }, next: node)
        let outer = LoggerNode(filter: .except(["Doubling"]), sink: { log in logs.withLock { $0.append(log) } }, next: inner)
        #expect(outer.process(1).log?.messages == Self.lines(1))
        #expect(logs.withLock { $0.map(\.messages).map { $0.map(\.text) } } == [["in 1"], []])
    }

    @Test func `an operation that never ends keeps the first thousand messages, and says how many came more`() {
        let numbers = Observable.from(0..<1_500).noting(.info, as: "Numbers") { $0.element.map { "\($0)" } }
        let messages = numbers.asContext().log?.messages ?? []
        #expect(messages.count == 1_001)
        #expect(messages.first == "[info] Numbers: 0")
        #expect(messages[999] == "[info] Numbers: 999")
        #expect(messages.last == "(500 messages more)")
    }

    @Test func `a context that starts an operation for each of its data has the logs of the last hundred`() {
        let node = node
        let source = Context<Int>().log("source")
        let derived = source.then { node.process($0) }
        for number in 0..<5_000 { source.emit(data: number) }
        #expect(derived.log?.messages == ["source"] + (4_900..<5_000).flatMap(Self.lines))
    }

    @Test func `an operation that is tried again and again has the logs of its last hundred attempts`() {
        let failures = Tally()
        let flaky = AnyNode<Void, Int> {
            .logging { log in
                let failure = failures.add()
                log.note(.info, "Flaky", "attempt \(failure)")
                guard failure == 3_000 else { throw Failure.some }
                return .just(7)
            }
        }
        let context = flaky.process().retry()
        #expect(context.log?.messages == (2_900...3_000).map { "[info] Flaky: attempt \($0)" }.suffix(context.log?.messages.count ?? 0))
        #expect((100...101).contains(context.log?.messages.count ?? 0))
    }

    @Test func `messages from several threads are all there`() {
        let noting = AnyNode<Void, Int> {
            .logging { log in
                DispatchQueue.concurrentPerform(iterations: 4) { thread in
                    for number in 0..<200 { log.note(.info, "Threads", "\(thread) \(number)") }
                }
                return .just(1)
            }
        }
        #expect(Set(noting.process().log?.messages ?? []).count == 800)
    }
}

/// `process` shows contexts and their logs when there is an outcome.
@Suite(.countsResources) struct ContextProcessTests {
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
