import Streams
import StreamsTesting
import Testing

/// Contexts that the closure of a flattening operator returns: they belong to that operator.
@Suite("Contexts that a flattening operator starts", .onOneThread, .countsResources) struct ContextFlatteningTests {
    let output = Output()
    let numbers = PublishSubject<Int>()

    private func flattenings(_ start: @escaping @Sendable (Int) -> Observer<Int>) -> [Observable<Int>] {
        [
            numbers.flatMap(start), numbers.concatMap(start), numbers.concatMapEager(maxConcurrent: 1, start),
            numbers.flatMapLatest(start), numbers.flatMapFirst(start),
            numbers.map(start).merge(), numbers.map(start).concat(), numbers.map(start).switchLatest(),
        ]
    }

    @Test func `flatMapLatest cancels the operation of the previous context`() {
        let operations = [Operation<Int>(), Operation<Int>()]
        let contexts = operations.map { $0.start() }
        output.listen(contexts[0], as: "first ")
        let subscription = numbers.flatMapLatest { contexts[$0] }.subscribe(onNext: { [output] in output.print("next \($0)") })
        numbers.onNext(0)
        numbers.onNext(1)
        #expect(operations.map(\.disposals) == [1, 0])
        operations[1].succeed(7)
        subscription.dispose()
        #expect(output.lines == ["first cancelled", "next 7"])
    }

    @Test func `Every flattening operator cancels the current operation when it is disposed`() {
        for index in 0..<8 {
            let operation = Operation<Int>()
            let subscription = flattenings { _ in operation.start() }[index].subscribe()
            numbers.onNext(0)
            #expect(operation.starts == 1 && operation.disposals == 0, "operator \(index)")
            subscription.dispose()
            #expect(operation.disposals == 1, "operator \(index)")
            operation.releaseUpstream()
        }
    }

    @Test func `A context that has its outcome keeps it`() {
        let context = Context<Int>().emit(data: 1)
        let subscription = numbers.flatMapLatest { _ in context }.subscribe(onNext: { [output] in output.print("next \($0)") })
        numbers.onNext(0)
        numbers.onNext(1)
        subscription.dispose()
        output.listen(context)
        #expect(output.lines == ["next 1", "next 1", "data 1", "defer"])
    }

    @Test func `A multicast context is cancelled with its last branch`() {
        let operation = Operation<Int>()
        let shared = operation.start().multicast()
        let other = shared.map { $0 }
        let subscription = numbers.flatMapLatest { _ in shared }.subscribe()
        numbers.onNext(0)
        subscription.dispose()
        #expect(operation.disposals == 0)
        other.cancel()
        #expect(operation.disposals == 1)
        operation.releaseUpstream()
    }

    @Test func `A stream that was made of a context by hand does not cancel it`() {
        let operation = Operation<Int>()
        let context = output.listen(operation.start())
        let subscription = numbers.flatMapLatest { _ in context.asObservable() }.subscribe()
        numbers.onNext(0)
        subscription.dispose()
        operation.succeed(1)
        #expect(output.lines == ["data 1", "defer"])
    }
}
