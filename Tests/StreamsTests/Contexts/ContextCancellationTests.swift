import Testing

@testable import Streams

/// The way of a cancellation upstream.
@Suite("The way of a cancellation upstream", .countsResources) struct ContextCancellationTests {
    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let add: @Sendable (Observer<Int>) -> Observer<Int>
    }

    static let steps = [
        Step(testDescription: "map") { $0.map { $0 + 1 } },
        Step(testDescription: "then") { $0.then { .emit(data: $0) } },
        Step(testDescription: "mapError") { $0.mapError { $0 } },
        Step(testDescription: "process") { $0.process { _ in } },
        Step(testDescription: "multicast") { $0.multicast() },
        Step(testDescription: "dispatchOn") { $0.dispatchOn(ImmediateScheduler.instance) },
        Step(testDescription: "retry") { $0.retry(2) },
        Step(testDescription: "combine") { $0.combine(Context<Int>().emit(data: 1)).map { $0.0 } },
        Step(testDescription: "combine, of the other") { Context<Int>().emit(data: 1).combine($0).map { $0.1 } },
    ]

    #if DEBUG
        /// How often contexts are asked whether they have ended when a chain of them is cancelled after an outcome.
        private func questions(of count: Int, _ step: Step) -> Int {
            let context = Context<Int>()
            let last = (0..<count).reduce(context as Observer<Int>) { chain, _ in step.add(chain) }
            context.emit(data: 1)
            let cancellation = Cancellation()
            last.core.cancel(in: cancellation)
            #expect(context.core.latest()??.isCancelled == true)
            return cancellation.asked.value
        }

        @Test(arguments: steps) func `A cancel asks each context of a chain a bounded number of times`(step: Step) {
            let (short, long) = (questions(of: 20, step), questions(of: 80, step))
            #expect(long <= 4 * short)
            #expect(short >= 20)
        }
    #endif

    @Test func `A context that ends while the cancellation is on its way keeps its result`() {
        let operation = Operation<Int>()
        let source = operation.start()
        let derived = source.map { $0 + 1 }
        derived.onCancelled { operation.succeed(1) }
        derived.cancel()
        #expect(source.current == 1)
        #expect(operation.disposals == 1)
    }
}
