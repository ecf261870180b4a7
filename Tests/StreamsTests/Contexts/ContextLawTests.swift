import Dispatch
import Foundation
import Streams
import StreamsTesting
import Testing

/// Nothing leaks, nothing runs under a lock, everything is serial.
@Suite("Contexts keep the laws", .countsResources) struct ContextLawTests {
    typealias Build = @Sendable (Observer<Int>) -> Observer<Int>

    static let operators: [Build] = [
        { $0.map { $0 } }, { $0.map { .emit(data: $0) } }, { $0.mapError { $0 } }, { $0.mapError { .emit(error: $0) } },
        { $0.catchError { (_: Failure) in } }, { $0.combine(Context<Int>()).map { $0.0 } },
        { $0.combineTolerance(Context<Int>()).map { $0.0 ?? 0 } }, { $0.chain { .emit(data: $0) }.map { $0.1 } },
        { $0.process { _ in } }, { $0.multicast() }, { $0.multicast().map { $0 } }, { $0.dispatchOn(.global(qos: .userInitiated)) },
        { $0.timeout(.seconds(60), scheduler: ImmediateTimers.scheduler) },
        { $0.debounce(.milliseconds(1), scheduler: ImmediateTimers.scheduler) },
        { $0.throttle(.milliseconds(1), scheduler: ImmediateTimers.scheduler) }, { $0.retry(2) },
        { $0.log("message").map { $0 } }, { $0.map { $0 }.map { $0 }.map { $0 } },
    ]

    enum ImmediateTimers {
        static let scheduler = SerialDispatchQueueScheduler(label: "test")
    }

    enum Ending: CaseIterable {
        case success, failure, cancelOfDerived, cancelOfSource, nobodyHoldsIt

        func play(_ build: Build) {
            let (operation, output) = (Operation<Int>(), Output())
            switch self {
            case .success:
                output.listen(build(operation.start()))
                operation.succeed(1)
            case .failure:
                output.listen(build(operation.start()))
                // Twice for the second attempt of a retry.
                for _ in 0..<2 { operation.send(.error(Failure.some)) }
            case .cancelOfDerived:
                output.listen(build(operation.start())).cancel()
                operation.releaseUpstream()
            case .cancelOfSource:
                let source = operation.start()
                output.listen(build(source))
                source.cancel()
                operation.releaseUpstream()
            case .nobodyHoldsIt:
                let context = Context<Int>()
                output.listen(build(context))
                context.emit(data: 1).emit(error: Failure.some).emit(data: 2)
            }
        }
    }

    @Test(arguments: operators.indices, Ending.allCases) func `Nothing is left, however an operation ends`(index: Int, ending: Ending) {
        expectNothingLeft(within: .seconds(300)) { ending.play(Self.operators[index]) }
    }

    /// Each operator that starts an operation for an outcome, with the event that makes it do so.
    static let followers: [(@Sendable (Observer<Int>, @escaping @Sendable () -> Observer<Int>) -> Observer<Int>, Event<Int>)] = [
        ({ source, step in source.then { _ in step() } }, .next(1)),
        ({ source, step in source.map { (_: Int) -> Observer<Int> in step() } }, .next(1)),
        ({ source, step in source.chain { _ in step() }.map { $0.1 } }, .next(1)),
        ({ source, step in source.mapError { (_: any Error) -> Observer<Int> in step() } }, .error(Failure.some)),
        ({ source, step in source.error { _ in step() } }, .error(Failure.some)),
    ]

    @Test(arguments: followers.indices) func `A step that is queued when the context is cancelled does not run`(index: Int) {
        let (build, event) = Self.followers[index]
        expectNothingLeft(within: .seconds(300)) {
            let (source, output) = (Context<Int>(), Output())
            let derived = SerialState<Observer<Int>?>(nil)
            derived.value = build(source) {
                output.print("step")
                source.on(event)
                derived.value?.cancel()
                return .emit(data: 2)
            }
            derived.value.map { _ = output.listen($0) }
            source.on(event)
            derived.value = nil
            #expect(output.lines == ["step", "cancelled"])
        }
    }

    @Test func `A context holds what was derived from it, and not the other way`() {
        weak var source: Context<Int>?
        weak var derived: Observer<Int>?
        do {
            let context = Context<Int>()
            source = context
            derived = context.map { $0 }
            #expect(derived != nil)
        }
        #expect(source == nil)
        #expect(derived == nil)

        let mapped: Observer<Int>
        do {
            let context = Context<Int>()
            source = context
            mapped = context.map { $0 }.multicast().filterless()
        }
        #expect(source == nil)
        withExtendedLifetime(mapped) {}
    }

    @Test func `A source retains the context while it may emit, and releases it when the operation has terminated`() {
        weak var context: Observer<Int>?
        let operation = Operation<Int>()
        do { context = operation.start() }
        #expect(context != nil)
        operation.succeed(1)
        #expect(context == nil)
    }

    @Test func `An operator that started many operations does not grow`() {
        let counter = Resources.Counter()
        Resources.$counter.withValue(counter) {
            let context = Context<Int>()
            let mapped = context.map { .emit(data: $0) }.multicast().map { $0 }
            context.emit(data: 0)
            let before = counter.total
            for model in 1...1_000 { context.emit(data: model) }
            #expect(counter.total == before)
            withExtendedLifetime(mapped) {}
        }
    }

    @Test func `No listener and no mapper runs under a lock, and no model is freed under one`() {
        // The library's debug builds stop where a listener would run under a lock; a model that uses a context while it is freed would
        // lock itself out if that happened under the lock.
        final class Model: Sendable {
            let context: Context<Int>
            init(_ context: Context<Int>) { self.context = context }
            deinit { context.emit(data: 1).onCompleted { _ in } }
        }
        let target = Context<Int>()
        let context = Context<Model>()
        output(of: context)
        for _ in 0..<10 { context.emit(data: Model(target)) }
        context.emit(error: Failure.some)
        context.emit(data: Model(target)).cancel()
        #expect(target.current == 1)
    }

    private func output(of context: Observer<some Sendable>) {
        context.onCompleted { _ in }.onCompleted { _ in }.unsubscribe()
    }

    @Test func `Listeners are called one at a time from whatever number of threads, and miss nothing`() {
        let context = MulticastContext<Int>()
        let (threads, emissions) = (4, 2_000)
        let received = Lock<[Int]>([])
        let (busy, overlaps) = (Tally(), Tally())
        context.onCompleted { model in
            if busy.add() != 1 { overlaps.add() }
            received.withLock { $0.append(model) }
            busy.add(-1)
        }
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for number in 0..<emissions { context.emit(data: thread * emissions + number) }
        }
        let all = received.withLock { $0 }
        #expect(overlaps.value == 0)
        #expect(all.sorted() == Array(0..<threads * emissions))
        for thread in 0..<threads {
            let own = all.filter { $0 / emissions == thread }
            #expect(own == own.sorted())
        }
    }
}

extension Observer {
    fileprivate func filterless() -> Observer<Model> { map { $0 } }
}
