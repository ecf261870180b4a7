import Dispatch
import StreamsTesting
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Operators with several upstreams, each on a thread of its own, and an observer that is slower than they are.
@Suite("Bounds of joins", .countsResources) struct JoinBoundTests {
    struct Join: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The sources whose elements are counted, of which each result takes one, or one of each.
        var counted = 0..<JoinBoundTests.threads
        var takesOneOfEach = false
        /// The elements that the operator keeps besides the inputs of its last serializer.
        var keeps = 0
        let apply: @Sendable ([Observable<Int>]) -> Observable<Int>
    }

    private static let threads = 4
    private static let results = 500
    /// The bound of one serializer on the page Backpressure: 32 inputs, and one of each other thread that emits.
    private static let bound = 32 + threads

    static let joins = [
        Join(testDescription: "merge") { Observable.merge($0) },
        Join(testDescription: "merge of merges", keeps: 2 * bound) { sources in
            Observable.merge(Observable.merge(sources[0], sources[1]), Observable.merge(sources[2], sources[3]))
        },
        Join(testDescription: "merge, observed elsewhere", keeps: 2) { sources in
            Observable.merge(sources).observe(on: SerialDispatchQueueScheduler(label: "observer"), overflow: .suspend(capacity: 1))
        },
        Join(testDescription: "flatMap") { sources in Observable.from(sources.indices).flatMap { sources[$0] } },
        Join(testDescription: "combineLatest") { sources in Observable.combineLatest(sources.map { $0.startWith(0) }) { $0[0] } },
        Join(testDescription: "zip", takesOneOfEach: true, keeps: threads * 128) { sources in Observable.zip(sources) { $0[0] } },
        Join(testDescription: "withLatestFrom", counted: 0..<1) { sources in
            sources[0].withLatestFrom(sources[1].startWith(0)) { element, _ in element }
        },
        Join(testDescription: "timeout", counted: 0..<1) { sources in
            sources[0].timeout(.seconds(1), scheduler: VirtualTimeScheduler())
        },
    ]

    @Test(.timeLimit(.minutes(5)), arguments: joins)
    func `No more inputs wait than the bound, however many threads push`(join: Join) {
        let (made, delivered) = (Tally(), Tally())
        let most = Atomic(0)
        let isOver = DispatchSemaphore(value: 0)
        let taken = join.takesOneOfEach ? join.counted.count : 1
        let sources = (0..<Self.threads).map { number in
            let numbers = Observable.generate(initialState: 0, condition: { _ in true }, iterate: { $0 &+ 1 })
            let counted = numbers.do(onNext: { _ in
                // Before its first result, `combineLatest` drops elements; so does each operator while it is being disposed.
                guard (1..<Self.results).contains(delivered.value) else { return }
                most.max(made.add() - delivered.value * taken, ordering: .relaxed)
            })
            return (join.counted.contains(number) ? counted : numbers).subscribe(
                on: SerialDispatchQueueScheduler(label: "source \(number)"))
        }
        let subscription = join.apply(sources).subscribe(onNext: { _ in
            // Slower than the sources: others run meanwhile, also on a machine with one processor.
            for _ in 0..<20 { sched_yield() }
            if delivered.add() == Self.results { isOver.signal() }
        })
        isOver.wait()
        subscription.dispose()
        // The element that is being delivered, and the one that each thread has in its hand.
        let bound = Self.bound + join.keeps + 1 + Self.threads
        #expect(most.load(ordering: .relaxed) <= bound, "of \(made.value)")
    }
}
