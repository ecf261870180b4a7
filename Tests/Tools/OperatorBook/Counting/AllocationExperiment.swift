import CAllocationCounter
import StreamsTesting
import Synchronization

/// Counts the allocations of one stream over subjects and virtual time.
struct AllocationExperiment<Element: Sendable> {
    /// What the subjects emit, again and again.
    let elements: [Element]
    let upstreams: Int
    let make: ([Observable<Element>], TestScheduler) -> Observable<Element>

    /// How many streams are built and subscribed to at a time, so that an array that grows does not count.
    private var instances: Int { 100 }
    /// Seconds before the count of elements begins, in which buffers reach their size, and seconds that are counted.
    private var warmUp: Int { 200 }
    private var seconds: Int { 1_000 }

    /// Of building and subscribing. The first run makes what the runtime keeps for good.
    func subscription() -> (building: Double, subscribing: Double, bytes: Int, emitted: Int) {
        _ = countSubscriptions()
        return countSubscriptions()
    }

    private func countSubscriptions() -> (building: Double, subscribing: Double, bytes: Int, emitted: Int) {
        let scheduler = TestScheduler()
        let sources = (0..<instances).map { _ in (0..<upstreams).map { _ in PublishSubject<Element>().asObservable() } }
        let receipt = Receipt()
        var streams: [Observable<Element>] = []
        streams.reserveCapacity(instances)
        var subscriptions: [any Disposable] = []
        subscriptions.reserveCapacity(instances)

        allocation_counter_start()
        for source in sources { streams.append(make(source, scheduler)) }
        let building = allocation_counter_allocations()
        allocation_counter_start()
        for stream in streams { subscriptions.append(stream.subscribe(onNext: { _ in receipt.noteElement() })) }
        allocation_counter_stop()

        let (subscribing, bytes) = (allocation_counter_allocations(), allocation_counter_live_bytes())
        for subscription in subscriptions { subscription.dispose() }
        let share = Double(instances)
        return (
            hundredths(Double(building) / share), hundredths(Double(subscribing) / share), Int((Double(bytes) / share).rounded()),
            receipt.elements / instances
        )
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
        let used = subjects.filter(\.hasObservers)
        for second in 0..<warmUp { emit(second, used, scheduler) }
        let before = receipt.elements
        allocation_counter_start()
        for second in warmUp..<(warmUp + seconds) { emit(second, used, scheduler) }
        let allocations = allocation_counter_allocations()
        allocation_counter_stop()
        let operations = used.isEmpty ? receipt.elements - before : seconds * used.count
        guard !receipt.isTerminated, operations > 0 else { return nil }
        return hundredths(Double(allocations) / Double(operations))
    }

    private func emit(_ second: Int, _ subjects: [PublishSubject<Element>], _ scheduler: TestScheduler) {
        for subject in subjects { subject.onNext(elements[second % elements.count]) }
        scheduler.advance(by: 1)
    }

    private func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

/// What the subscriber received, written down without an allocation.
private final class Receipt: Sendable {
    private let count = Atomic<Int>(0)
    private let ends = Atomic<Int>(0)

    var elements: Int { count.load(ordering: .relaxed) }
    var isTerminated: Bool { ends.load(ordering: .relaxed) > 0 }

    func noteElement() { count.add(1, ordering: .relaxed) }
    func noteEnd() { ends.add(1, ordering: .relaxed) }
}
