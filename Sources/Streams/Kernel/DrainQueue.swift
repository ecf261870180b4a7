import Schedulers

/// Delivers events on a scheduler, or on the sending thread: serially, in order, and with one dispatch for a burst.
///
/// If the caller is on the scheduler already and nothing is queued, it delivers synchronously. It stays fair to other work: after a number
/// of elements it reschedules itself. The observer is released with the parent, even if a producer retains the queue.
@usableFromInline
final class DrainQueue<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    // Law 3: the state is accessed only under the lock.
    @usableFromInline
    struct State {
        @usableFromInline var events: BufferedEvents<Element>
        /// Whether events are being delivered, or a delivery is scheduled.
        @usableFromInline var isBusy = false
        @usableFromInline var downstream: AnyObserver<Element>?

        @inlinable
        init(_ policy: BufferingPolicy, _ downstream: AnyObserver<Element>) {
            events = BufferedEvents(policy)
            self.downstream = downstream
        }

        /// Becomes busy and returns the observer to call with `event`, if nothing precedes it.
        @inlinable
        mutating func begin(with event: borrowing Event<Element>) -> AnyObserver<Element>? {
            guard !isBusy, !events.isStopped, let downstream else { return nil }
            isBusy = true
            events.isStopped = event.isStopEvent
            return downstream
        }

        /// Appends `event`; `mustPlan` tells whether its delivery has yet to be planned.
        @inlinable @inline(__always)
        mutating func append(_ event: Event<Element>) -> (BufferedEvents<Element>.Outcome, mustPlan: Bool) {
            // What was torn down accepts no event, nor does it plan to deliver any.
            guard !events.isStopped else { return (.kept, false) }
            defer { isBusy = true }
            return (events.append(event), !isBusy)
        }

        /// Moves events into the empty `batch`; is no longer busy if there are none.
        @inlinable
        mutating func takeBatch(into batch: inout ElementQueue<Element>) -> (AnyObserver<Element>, Event<Element>?)? {
            let stop = events.takeBatch(into: &batch)
            guard let downstream, stop != nil || !batch.isEmpty else {
                isBusy = false
                return nil
            }
            return (downstream, stop)
        }
    }

    @usableFromInline let state: Lock<State>
    @usableFromInline let planned = PlannedAction()
    @usableFromInline let scheduler: any Scheduler
    /// How many elements are delivered before other work of the scheduler has its turn.
    @usableFromInline let batchLimit: Int
    @usableFromInline let mark = Resources.Mark("DrainQueue")

    /// Creates a queue that keeps as many elements as `policy` allows. With the `ImmediateScheduler` the sending threads deliver.
    @inlinable
    init(_ policy: BufferingPolicy = .unbounded, on scheduler: any Scheduler, parent: Lifetime?, _ downstream: AnyObserver<Element>) {
        self.scheduler = scheduler
        // There is no other work on the sending thread, and planning would nest.
        batchLimit = scheduler is ImmediateScheduler ? .max : 4_096
        state = Lock(State(policy, downstream))
        super.init(parent: parent)
    }

    /// Whether no event is queued.
    var isIdle: Bool {
        state.withLock { $0.events.isEmpty }
    }

    /// Enqueues an event, unless a terminal event was. Returns `false` if the policy fails because of it: upstream must be disposed.
    /// Thread-safe.
    @inlinable
    @discardableResult
    func send(_ event: Event<Element>) -> Bool {
        if scheduler.canRunSynchronously, let downstream = state.withLock({ $0.begin(with: event) }) {
            downstream.on(event)
            drain()
            return true
        }
        let (outcome, mustPlan) = state.withLock { $0.append(event) }
        if mustPlan { plan() }
        if case .overflow = outcome { return false }
        return true
    }

    @inlinable
    override func tearDown() {
        planned.dispose()
        // Passed out of the lock: the elements are a user's values, and the observer captures a user's closures.
        _ = state.withLock { state in (state.events.removeAll(), state.downstream.take()) }
    }

    @inlinable
    func plan() {
        planned.plan { scheduler.schedule { [self] in drain() } }
    }

    @inlinable
    func drain() {
        var batch = ElementQueue<Element>()
        var delivered = 0
        while let (downstream, stop) = state.withLock({ $0.takeBatch(into: &batch) }) {
            delivered += batch.count
            deliver(&batch, to: downstream)
            if let stop, isAlive { downstream.on(stop) }
            if delivered >= batchLimit { return plan() }
        }
    }

    /// Delivers a batch. A function of its own, because the compiler retains the observer for each element elsewhere.
    @inlinable @inline(never)
    func deliver(_ batch: inout ElementQueue<Element>, to downstream: AnyObserver<Element>) {
        while let element = batch.popFirst() {
            if isAlive { downstream.onNext(element) }
        }
    }
}
