import Dispatch
import Streams
import StreamsTesting
import Testing

/// The notes of the nodes of an operation are the log of its context.
@Suite("Notes of the nodes of an operation", .onOneThread, .countsResources) struct ContextNotesTests {
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

    @Test func `An operation has what its nodes noted, behind a node and behind any stream`() {
        #expect(node.process(1).log?.messages == Self.lines(1))
        #expect(node.stream(2).map { $0 + 1 }.asContext().log?.messages == Self.lines(2))
        #expect(node.stream(3).asMulticastContext().log?.messages == Self.lines(3))
        #expect(node.process(-1).log?.messages == ["[info] Doubling: in -1"])
    }

    @Test func `A stream whose nodes note nothing has no log`() {
        #expect(Observable.just(1).asContext().log == nil)
        #expect(Observable.just(1).asContext().map { $0 }.log == nil)
    }

    @Test func `Operations one after another and side by side hand their notes on in order`() {
        let node = node
        #expect(node.process(1).map { node.process($0) }.log?.messages == Self.lines(1) + Self.lines(2))
        #expect(node.process(1).chain { node.process($0 + 5) }.log?.messages == Self.lines(1) + Self.lines(7))
        #expect(node.process(-1).mapError { _ in node.process(4) }.log?.messages == ["[info] Doubling: in -1"] + Self.lines(4))
        #expect(node.process(3).combine(node.process(5)).log?.messages == Self.lines(3) + Self.lines(5))
        #expect(node.process(3).log("sent").combineTolerance(node.process(5)).log?.messages == Self.lines(3) + ["sent"] + Self.lines(5))
    }

    @Test func `A logger inside has the messages as well, and filters only its own`() {
        let logs = Lock([OperationLog]())
        let inner = AnyNode { [node] in node.stream($0).logged(.from(.info)) { log in logs.withLock { $0.append(log) } } }
        let outer = AnyNode { inner.stream($0).logged(.except(["Doubling"])) { log in logs.withLock { $0.append(log) } } }
        #expect(outer.process(1).log?.messages == Self.lines(1))
        #expect(logs.withLock { $0.map(\.messages).map { $0.map(\.text) } } == [["in 1"], []])
    }

    @Test func `An operation that never ends keeps the first thousand messages, and says how many came more`() {
        let numbers = Observable.from(0..<1_500).noting(.info, as: "Numbers") { $0.element.map { "\($0)" } }
        let messages = numbers.asContext().log?.messages ?? []
        #expect(messages.count == 1_001)
        #expect(messages.first == "[info] Numbers: 0")
        #expect(messages[999] == "[info] Numbers: 999")
        #expect(messages.last == "(500 messages more)")
    }

    @Test func `A context that starts an operation for each of its data has the logs of the last hundred`() {
        let node = node
        let source = Context<Int>().log("source")
        let derived = source.then { node.process($0) }
        for number in 0..<5_000 { source.emit(data: number) }
        #expect(derived.log?.messages == ["source"] + (4_900..<5_000).flatMap(Self.lines))
    }

    @Test func `An operation that is tried again and again has the logs of its last hundred attempts`() {
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

    @Test func `Messages from several threads are all there`() {
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
