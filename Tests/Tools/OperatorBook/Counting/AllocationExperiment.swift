import CAllocationCounter
import StreamsTesting
import Synchronization

/// Counts the allocations of one stream over subjects and virtual time.
struct AllocationExperiment<Element: Sendable> {
    /// The elements that the subjects emit, again and again.
    let elements: [Element]
    let upstreams: Int
    let make: ([Observable<Element>], TestScheduler) -> Observable<Element>

    /// How many streams are built and subscribed to in a run.
    private var instances: Int { 100 }
    /// Seconds before the count of elements begins, in which buffers reach their size, and seconds that are counted.
    private var warmUp: Int { 200 }
    private var seconds: Int { 1_000 }

    /// Of building and subscribing: the least of some runs, because the first makes what the runtime keeps for good.
    func subscription() -> (building: Int, subscribing: Int, bytes: Int, emitted: Int) {
        let runs = (0..<15).map { _ in countSubscriptions() }
        return runs.dropFirst().reduce(runs[1]) { least, run in
            (min(least.building, run.building), min(least.subscribing, run.subscribing), min(least.bytes, run.bytes), run.emitted)
        }
    }

    private func countSubscriptions() -> (building: Int, subscribing: Int, bytes: Int, emitted: Int) {
        let scheduler = TestScheduler()
        let sources = (0..<instances).map { _ in (0..<upstreams).map { _ in PublishSubject<Element>().asObservable() } }
        let receipt = Receipt()
        var streams: [Observable<Element>] = []
        streams.reserveCapacity(instances)
        var subscriptions: [any Disposable] = []
        subscriptions.reserveCapacity(instances)

        let building = ofMedianInstance { streams.append(make(sources[$0], scheduler)) }
        let subscribing = ofMedianInstance {
            subscriptions.append(streams[$0].subscribe(onNext: { _ in receipt.noteElement() }, onError: { _ in }))
        }
        for subscription in subscriptions { subscription.dispose() }
        return (building.allocations, subscribing.allocations, subscribing.bytes, receipt.elements / instances)
    }

    /// Not of an instance that makes the heap of the scheduler grow, or that the allocator gives more than it asks for.
    private func ofMedianInstance(_ body: (Int) -> Void) -> (allocations: Int, bytes: Int) {
        var (allocations, bytes): ([Int64], [Int64]) = ([], [])
        for instance in 0..<instances {
            allocation_counter_start()
            body(instance)
            allocation_counter_stop()
            allocations.append(allocation_counter_allocations())
            bytes.append(allocation_counter_live_bytes())
        }
        return (Int(allocations.sorted()[instances / 2]), Int(bytes.sorted()[instances / 2]))
    }

    /// Of an element that a subject emits, or of one that the stream emits where nothing is subscribed to a subject. Nil if the stream
    /// terminates before the count has ended.
    func perElement() -> Double? {
        let scheduler = TestScheduler()
        let subjects = (0..<upstreams).map { _ in PublishSubject<Element>() }
        let receipt = Receipt()
        let subscription = make(subjects.map { $0.asObservable() }, scheduler).subscribe(
            onNext: { _ in receipt.noteElement() }, onError: { _ in receipt.noteEnd() }, onCompleted: { receipt.noteEnd() })
        defer { subscription.dispose() }
        for second in 0..<warmUp { _ = emit(second, subjects, scheduler) }
        let before = receipt.elements
        var emitted = 0
        allocation_counter_start()
        for second in warmUp..<(warmUp + seconds) { emitted += emit(second, subjects, scheduler) }
        let allocations = allocation_counter_allocations()
        allocation_counter_stop()
        let operations = emitted > 0 ? emitted : receipt.elements - before
        guard !receipt.isTerminated, operations > 0 else { return nil }
        return hundredths(Double(allocations) / Double(operations))
    }

    /// One second: each subject emits to its observers. Returns how many have some.
    private func emit(_ second: Int, _ subjects: [PublishSubject<Element>], _ scheduler: TestScheduler) -> Int {
        var count = 0
        for subject in subjects where subject.hasObservers {
            subject.onNext(elements[second % elements.count])
            count += 1
        }
        scheduler.advance(by: 1)
        return count
    }

    private func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

/// The elements of the subscriber, counted without an allocation.
private final class Receipt: Sendable {
    private let count = Atomic<Int>(0)
    private let ends = Atomic<Int>(0)

    var elements: Int { count.load(ordering: .relaxed) }
    var isTerminated: Bool { ends.load(ordering: .relaxed) > 0 }

    func noteElement() { count.add(1, ordering: .relaxed) }
    func noteEnd() { ends.add(1, ordering: .relaxed) }
}
