import Streams
import StreamsTesting
import Testing

/// Operations whose result is transformed by the one that started them, nested as deep as there are operations, on a small stack.
@Suite("Nested operations", .onOneThread, .countsResources) struct ContextDepthTests {
    /// Enough to overflow the stack if each operation used some of it.
    private static let depth = 4_000

    let output = Output()

    /// Pages of which each asks for the next and adds one to its result.
    private final class Pages: Sendable {
        let scheduler = VirtualTimeScheduler()
        let requests = Tally()

        func page(_ number: Int, log message: String? = nil) -> Observer<Int> {
            requests.add()
            let request = Observable<Int>.timer(.seconds(1), scheduler: scheduler).asContext().log(message.map { OperationLog.Chain([$0]) })
            guard number > 1 else { return request }
            return request.then { _ in self.page(number - 1, log: message).mapData { rest in rest + 1 } }
        }
    }

    @Test func `What transforms each result of asynchronous operations uses no stack for it`() {
        onThread { [output] in
            let pages = Pages()
            output.listen(pages.page(Self.depth))
            pages.scheduler.run()
            #expect(output.lines == ["data \(Self.depth - 1)", "defer"])
        }
    }

    @Test func `So is what transforms results that are there at once`() {
        @Sendable func sum(_ number: Int) -> Observer<Int> {
            guard number > 0 else { return .emit(data: 0) }
            return Observer.emit(data: number).then { number in sum(number - 1).mapData { rest in number + rest } }
        }
        onThread { [output] in
            output.listen(sum(Self.depth))
            #expect(output.lines == ["data \(Self.depth * (Self.depth + 1) / 2)", "defer"])
        }
    }

    @Test func `An error passes through as many`() {
        @Sendable func fail(_ number: Int) -> Observer<Int> {
            guard number > 0 else { return .emit(error: Failure.some) }
            return Observer.emit(data: number).then { number in fail(number - 1).mapError { _ in Failure.other } }
        }
        onThread { [output] in
            output.listen(fail(Self.depth))
            #expect(output.lines == ["error other", "defer"])
        }
    }

    @Test func `A cancel reaches the operation below as many, once`() {
        onThread { [output] in
            let pages = Pages()
            let page = output.listen(pages.page(Self.depth + 1))
            pages.scheduler.advance(by: .seconds(Self.depth))
            #expect(pages.requests.value == Self.depth + 1)
            page.cancel()
            pages.scheduler.run()
            #expect(output.lines == ["cancelled"])
        }
    }

    @Test func `The log of as many operations can be read`() {
        onThread { [output] in
            let pages = Pages()
            let page = output.listen(pages.page(Self.depth, log: "asked"))
            pages.scheduler.run()
            #expect(page.log?.messages.count == Self.depth)
        }
    }

    @Test func `The outcome passes through many operators of one context too`() {
        onThread { [output] in
            let source = Context<Int>()
            let last = (0..<Self.depth).reduce(source as Observer<Int>) { context, _ in context.mapData { $0 + 1 } }
            output.listen(last)
            source.emit(data: 0)
            source.emit(error: Failure.some)
            source.cancel()
            #expect(output.lines == ["data \(Self.depth)", "defer", "error some", "defer", "cancelled"])
        }
    }
}
