import Dispatch
import Streams
import StreamsTesting
import Testing

@Suite("Logs of contexts", .countsResources) struct ContextLogTests {
    @Test func `A context without messages has no log`() {
        #expect(Context<Int>().log == nil)
        #expect(Context<Int>().log(nil).map { $0 }.log == nil)
    }

    @Test func `Messages travel along a chain in order`() {
        let (first, second) = (Operation<Int>(), Operation<Int>())
        let source = first.start().log("source 1")
        let mapped = source.map { $0 + 1 }.log("map")
        let chained = mapped.chain { _ in second.start().log("next") }.log("chain")
        source.log("source 2")
        first.succeed(1)
        second.succeed(2)
        #expect(chained.log?.messages == ["source 1", "source 2", "map", "chain", "next"])
        #expect(mapped.log?.messages == ["source 1", "source 2", "map"])
    }

    @Test func `The log is there when the listener is called`() {
        let output = Output()
        let operation = Operation<Int>()
        let context = operation.start().log("sent").map { $0 }
        context.onCompleted { _ in output.print(context.log?.description ?? "-") }
        operation.succeed(1)
        context.unsubscribe()
        #expect(output.lines == ["sent"])
    }

    @Test func `Nothing is lost when contexts are gone, fail or are cancelled`() {
        let failed = Observer<Int>.emit(error: Failure.some).log("request").mapError { _ in .emit(data: 1).log("cache") }.log("mapped")
        #expect(failed.log?.messages == ["request", "cache", "mapped"])
        let source = Context<Int>().log("request")
        let cancelled = source.map { $0 }.log("mapped").cancel()
        #expect(cancelled.log?.messages == ["request", "mapped"])
    }

    @Test func `Both logs of a combination come, and a shared beginning once`() {
        let source = Context<Int>().log("source")
        let combined = source.map { $0 }.log("left").combine(source.map { $0 }.log("right")).log("both")
        #expect(combined.log?.messages == ["source", "left", "right", "both"])
    }

    @Test func `What a context writes after others were derived from it is read behind all of them`() {
        let source = Context<Int>()
        let left = source.map { $0 }
        let last = left.map { $0 }.then { .emit(data: $0) }
        let both = left.combine(last)
        source.log("late")
        #expect(last.log?.messages == ["late"])
        #expect(both.log?.messages == ["late"])
        let cancelled = source.map { $0 }.map { $0 }.cancel()
        #expect(cancelled.log?.messages == ["late"])
        source.log("later")
        #expect(cancelled.log?.messages == ["late", "later"])
        #expect(both.log?.messages == ["late", "later"])
    }

    @Test func `Contexts whose operations write nothing have no log to keep`() {
        let counter = Resources.Counter()
        Resources.$counter.withValue(counter) {
            let source = Context<Int>()
            let derived = source.map { $0 }.then { .emit(data: $0) }.map { $0 }.combine(source.map { $0 })
            source.emit(data: 1)
            #expect(counter.byKind["Journal"] == nil)
            withExtendedLifetime(derived) {}
        }
    }

    @Test func `A chain of messages keeps its order`() {
        var chain: OperationLog.Chain = "first"
        chain.append(OperationLog.Chain(["second", "third"]))
        let context = Context<Int>().log(chain).log(nil).log("fourth")
        #expect(context.log == OperationLog.Chain(["first", "second", "third", "fourth"]))
        #expect(context.log?.description == "first\nsecond\nthird\nfourth")
    }

    @Test func `The messages that are written are bounded, and the others counted`() {
        let context = Context<Int>()
        let derived = context.map { $0 }.log("derived")
        for number in 0..<1_500 { context.log("\(number)") }
        context.log(OperationLog.Chain((0..<500).map { "late \($0)" }))
        #expect(derived.log?.messages == (0..<1_000).map(String.init) + ["(1000 messages more)", "derived"])
    }

    @Test func `Messages from several threads are all there, each thread's in order`() {
        let context = Context<Int>()
        let derived = context.map { $0 }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<250 { context.log("\(thread) \(number)") }
        }
        let messages = derived.log?.messages ?? []
        #expect(messages.count == 1_000)
        for thread in 0..<4 {
            #expect(messages.filter { $0.hasPrefix("\(thread) ") } == (0..<250).map { "\(thread) \($0)" })
        }
    }
}
