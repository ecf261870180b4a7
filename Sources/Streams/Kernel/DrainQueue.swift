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
        /// What was taken and not delivered, because downstream was suspended.
        @usableFromInline var rest = ElementQueue<Element>()
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

        @inlinable var hasElements: Bool { !rest.isEmpty || !events.elements.isEmpty }

        @inlinable
        mutating func takeRest() -> ElementQueue<Element> {
            defer { rest = ElementQueue() }
            return rest
        }

        /// Moves events into the empty `batch`; is no longer busy if there are none.
        @inlinable
        mutating func takeBatch(into batch: inout ElementQueue<Element>) -> (AnyObserver<Element>, Event<Element>?)? {
            guard rest.isEmpty else {
                swap(&rest, &batch)
                return downstream.map { ($0, nil) }
            }
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
    /// The upstream's, under a policy that suspends: closed while as many elements wait as that says.
    @usableFromInline let gate: Gate?
    /// How many elements are delivered before other work of the scheduler has its turn.
    @usableFromInline let batchLimit: Int
    @usableFromInline let mark = Resources.Mark("DrainQueue")
    /// The number of elements that were taken to be delivered.
    @usableFromInline let takenCount = ProbedCount()

    /// Creates a queue that keeps as many elements as `policy` allows. With the `ImmediateScheduler` the sending threads deliver.
    @inlinable
    init(
        _ policy: BufferingPolicy = .unbounded, on scheduler: any Scheduler, parent: Lifetime?, suspending gate: Gate? = nil,
        _ downstream: AnyObserver<Element>
    ) {
        self.scheduler = scheduler
        self.gate = gate
        // There is no other work on the sending thread, and planning would nest.
        batchLimit = scheduler is ImmediateScheduler ? .max : 4_096
        state = Lock(State(policy, downstream))
        super.init(parent: parent)
        Probe.queued("elements", of: self, bound: policy.bound) { queue in
            queue.state.withLock { $0.rest.count + $0.events.elements.count } + queue.takenCount.value
        }
    }

    /// Whether no event is queued.
    var isIdle: Bool {
        state.withLock { $0.events.isEmpty }
    }

    /// Attaches the queue, and starts `source`, whose events it delivers; `upstream` is disposed when they overflow.
    @inlinable
    func subscribe(to source: Observable<Element>, in upstream: Lifetime) {
        guard attach() else { return }
        source.start(
            .receiving { [self] event in
                let event = event.take()
                guard upstream.admits(event) else { return }
                if !send(event) { upstream.dispose() }
            }, upstream)
    }

    /// Enqueues an event, unless a terminal event was. Returns `false` if the policy fails because of it: upstream must be disposed.
    /// Thread-safe.
    @inlinable
    @discardableResult
    func send(_ event: Event<Element>) -> Bool {
        // Suspended is asked under the lock: the element that suspends may be the last one of a delivery that has just ended.
        if scheduler.canRunSynchronously, let downstream = state.withLock({ isSuspended ? nil : $0.begin(with: event) }) {
            downstream.on(event)
            drain()
            return true
        }
        let (outcome, mustPlan) = state.withLock { state in
            let (outcome, mustPlan) = state.append(event)
            if outcome.isFull { gate?.mark(closed: true) }
            return (outcome, mustPlan)
        }
        if outcome.isFull { gate?.announceClosing() }
        if mustPlan { plan() }
        if case .overflow = outcome { return false }
        return true
    }

    @inlinable
    override func tearDown() {
        planned.dispose()
        // Passed out of the lock: the elements are a user's values, and the observer captures a user's closures.
        _ = state.withLock { state in (state.events.removeAll(), state.takeRest(), state.downstream.take()) }
    }

    @inlinable
    func plan() {
        planned.plan { scheduler.schedule { [self] in drain() } }
    }

    @inlinable
    func drain() {
        var batch = ElementQueue<Element>()
        var delivered = 0
        // While downstream is suspended, elements stay in the buffer that the policy bounds.
        if isSuspended, state.withLock({ $0.hasElements }) { return park(&batch) }
        while let (downstream, stop) = state.withLock({ $0.takeBatch(into: &batch) }) {
            delivered += batch.count
            deliver(&batch, to: downstream)
            guard batch.isEmpty else { return park(&batch) }
            if let stop, isAlive { downstream.on(stop) }
            if let gate, gate.isClosed { resumeSource(gate) }
            if delivered >= batchLimit { return plan() }
        }
    }

    /// Resumes the source, unless it has filled the buffer again.
    @usableFromInline @inline(never)
    func resumeSource(_ gate: Gate) {
        // The gate is what the buffer wants: both change under the lock.
        let opens = state.withLock { state in state.events.elements.isEmpty && gate.mark(closed: false) }
        if opens { gate.announce() }
    }

    /// Keeps the rest of a batch until downstream resumes, which schedules the delivery; what was disposed keeps nothing.
    @usableFromInline @inline(never)
    func park(_ batch: inout ElementQueue<Element>) {
        guard let lifetime = parent, !lifetime.isDisposed else { return batch = ElementQueue() }
        state.withLock { state in
            if !batch.isEmpty { swap(&state.rest, &batch) }
        }
        ParkedLoop.run(in: lifetime) { [self] in
            plan()
            return false
        }
    }

    /// Whether downstream may not be delivered to.
    @inlinable var isSuspended: Bool {
        owner?._withUnsafeGuaranteedRef { $0.isSuspended } ?? false
    }

    /// Delivers a batch. A function of its own, because the compiler retains the observer for each element elsewhere.
    @inlinable @inline(never)
    func deliver(_ batch: inout ElementQueue<Element>, to downstream: AnyObserver<Element>) {
        defer { takenCount.set(0) }
        while isAlive, !isSuspended, let element = batch.popFirst() {
            takenCount.set(batch.count + 1)
            downstream.onNext(element)
        }
    }
}
