import Schedulers

/// A drain queue onto a scheduler: in order, serially, and with one dispatch for a burst.
///
/// If the caller is on the scheduler already and nothing is queued, it delivers synchronously. It stays fair to other work: after a number
/// of elements it reschedules itself.
@usableFromInline
final class Handover<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    // Law 3: the state is accessed only under the lock.
    @usableFromInline
    struct State {
        @usableFromInline var queue: [Element] = []
        /// Whether elements are being delivered, or a delivery is scheduled.
        @usableFromInline var isBusy = false
        @usableFromInline var isTornDown = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Lock(State())
    @usableFromInline let planned = PlannedAction()
    @usableFromInline let scheduler: any Scheduler
    @usableFromInline let deliver: @Sendable (Element) -> Void
    @usableFromInline let mark = Resources.Mark("Handover")
    @inlinable static var batchLimit: Int { 4_096 }

    @inlinable
    init(to scheduler: any Scheduler, parent: Lifetime?, _ deliver: @escaping @Sendable (Element) -> Void) {
        self.scheduler = scheduler
        self.deliver = deliver
        super.init(parent: parent)
    }

    /// Whether no element is queued.
    var isIdle: Bool {
        state.withLock { $0.queue.isEmpty }
    }

    /// Enqueues an element. Thread-safe.
    @inlinable
    func send(_ element: Element) {
        if scheduler.canRunSynchronously, beginInPlace() {
            deliver(element)
            return drain()
        }
        let mustSchedule = state.withLock { state -> Bool in
            guard !state.isTornDown else { return false }
            state.queue.append(element)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if mustSchedule { plan() }
    }

    @inlinable
    override func tearDown() {
        planned.dispose()
        // Passed out of the lock: the elements are a user's values.
        _ = state.withLock { state in
            defer { (state.queue, state.isTornDown) = ([], true) }
            return state.queue
        }
    }

    @inlinable
    func beginInPlace() -> Bool {
        state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
    }

    @inlinable
    func plan() {
        planned.plan { scheduler.schedule { [self] in drain() } }
    }

    @inlinable
    func drain() {
        var batch: [Element] = []
        var delivered = 0
        while takeBatch(&batch) {
            for element in batch where isAlive {
                deliver(element)
            }
            delivered += batch.count
            batch.removeAll(keepingCapacity: true)
            if delivered >= Self.batchLimit { return plan() }
        }
    }

    /// Swaps the queued elements for the empty `batch`; returns `false`, and is no longer busy, if there are none.
    @inlinable
    func takeBatch(_ batch: inout [Element]) -> Bool {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isBusy = false
                return false
            }
            swap(&batch, &state.queue)
            return true
        }
    }
}
