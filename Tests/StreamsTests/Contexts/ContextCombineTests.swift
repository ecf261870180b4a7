import Streams
import StreamsTesting
import Testing

@Suite("Combined contexts", .onOneThread, .countsResources) struct ContextCombineTests {
    let output = Output()
    let left = Operation<Int>()
    let right = Operation<String>()

    @Test func `Both forms start the other operation at once`() {
        let first = left.start().combine(right.start())
        let second = left.start().combine(right.start)
        #expect(right.starts == 2)
        first.cancel()
        second.cancel()
    }

    @Test func `combine emits when both have data, and again with new data`() {
        output.listen(left.start().combine(right.start()))
        right.send(.next("a"))
        left.send(.next(1))
        left.send(.next(2))
        right.send(.next("b"))
        left.send(.completed)
        right.send(.completed)
        #expect(
            output.lines == [
                "data (1, \"a\")", "defer", "data (2, \"a\")", "defer", "data (2, \"b\")", "defer",
            ])
    }

    @Test func `An error passes at once and cancels the other`() {
        output.listen(left.start().combine(right.start()))
        left.send(.error(Failure.some))
        #expect(output.lines == ["error some", "defer"])
        #expect(right.disposals == 1)
    }

    @Test func `An error of the other passes at once and cancels this one`() {
        output.listen(left.start().combine(right.start()))
        right.send(.error(Failure.some))
        #expect(output.lines == ["error some", "defer"])
        #expect(left.disposals == 1)
    }

    @Test func `A cancel of one passes at once and cancels the other`() {
        let context = right.start()
        output.listen(left.start().combine(context))
        context.cancel()
        #expect(output.lines == ["cancelled"])
        #expect([left.disposals, right.disposals] == [1, 1])
    }

    @Test func `An operation that has failed already cancels the one that is started beside it`() {
        output.listen(Observer<Int>.emit(error: Failure.some).combine(right.start()))
        #expect(output.lines == ["error some", "defer"])
        #expect(right.disposals == 1)
    }

    @Test func `It recovers from an error with new data`() {
        let (first, second) = (Context<Int>(), Context<Int>())
        output.listen(first.combine(second))
        first.emit(data: 1)
        second.emit(data: 2)
        first.emit(error: Failure.some).emit(data: 3)
        #expect(output.lines == ["data (1, 2)", "defer", "error some", "defer", "data (3, 2)", "defer"])
    }

    @Test func `Up to six come out flat, in both forms`() {
        func number(_ value: Int) -> Observer<Int> { .emit(data: value) }
        let flat = number(1).combine(number(2)).combine(number(3)).combine(number(4)).combine(number(5)).combine(number(6))
        let six: (Int, Int, Int, Int, Int, Int)? = flat.current
        #expect(six.map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] } == [1, 2, 3, 4, 5, 6])

        let two = { number(2) }
        let functions = number(1).combine(two).combine(two).combine(two).combine(two).combine(two)
        let sixAgain: (Int, Int, Int, Int, Int, Int)? = functions.current
        #expect(sixAgain?.5 == 2)
    }

    @Test func `The nested form is there where the type asks for it`() {
        let nested: Observer<((Int, Int), Int)> = Observer.emit(data: 1).combine(.emit(data: 2)).combine(.emit(data: 3))
        #expect(nested.current?.0.1 == 2)
        #expect(nested.current?.1 == 3)
    }

    @Test func `combineTolerance comes out flat up to six`() {
        func number(_ value: Int) -> Observer<Int> { .emit(data: value) }
        let failed = Observer<Int>.emit(error: Failure.some)
        let flat = number(1).combineTolerance(failed).combineTolerance(number(3)).combineTolerance(failed)
            .combineTolerance(number(5)).combineTolerance(number(6))
        let six: (Int?, Int?, Int?, Int?, Int?, Int?)? = flat.current
        #expect(six.map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] } == [1, nil, 3, nil, 5, 6])
    }

    @Test func `combineTolerance counts a cancelled one as nil`() {
        let cancelled = right.start()
        output.listen(left.start().combineTolerance(cancelled))
        cancelled.cancel()
        #expect(left.disposals == 0)
        left.succeed(1)
        #expect(output.lines == ["data (Optional(1), nil)", "defer"])
    }

    @Test func `combineTolerance fails with the first one's error if none succeeded`() {
        output.listen(left.start().combineTolerance(right.start()))
        right.send(.error(Failure.other))
        #expect(output.lines.isEmpty)
        left.send(.error(Failure.some))
        #expect(output.lines == ["error some", "defer"])
    }

    @Test func `combineTolerance is cancelled if all were`() {
        let (first, second) = (left.start(), right.start())
        output.listen(first.combineTolerance(second))
        first.cancel()
        #expect(output.lines.isEmpty)
        second.cancel()
        #expect(output.lines == ["cancelled"])
    }
}
