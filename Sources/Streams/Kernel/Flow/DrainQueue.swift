import Schedulers

/// Delivers events on a scheduler, or on the sending thread: serially, in order, and with one dispatch for each burst.
///
/// If the caller is on the scheduler already and nothing is queued, the queue delivers synchronously. It stays fair to other work: after a
/// number of elements it reschedules itself. The observer is released with the parent, even if a producer retains the queue.
@usableFromInline
final class DrainQueue<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    // Law 3: the state is accessed only under the lock.
    @usableFromInline
    struct State {
        @usableFromInline var buffer: GatedBuffer<Element>
        /// The elements that were taken and not delivered, because downstream was suspended.
        @usableFromInline var rest = ElementQueue<Element>()
        /// Whether events are being delivered, or a delivery is scheduled.
        @usableFromInline var isBusy = false
        @usableFromInline var downstream: AnyObserver<Element>?

        @inlinable
        init(_ policy: BufferingPolicy, _ gate: Gate?, _ downstream: AnyObserver<Element>) {
            buffer = GatedBuffer(policy, suspending: gate)
            self.downstream = downstream
        }

        /// Becomes busy and returns the observer to call with `event`, if no other event precedes it.
        @inlinable
        mutating func begin(with event: borrowing Event<Element>) -> AnyObserver<Element>? {
            guard !isBusy, !buffer.isStopped, let downstream else { return nil }
            isBusy = true
            buffer.isStopped = event.isStopEvent
            return downstream
        }

        /// Ends being busy, and returns whether it did: nothing has followed the event that was delivered.
        @inlinable
        mutating func endIfIdle() -> Bool {
            guard rest.isEmpty, buffer.isIdle else { return false }
            isBusy = false
            return true
        }

        /// Appends `event`; `mustPlan` tells whether its delivery must still be planned.
        @inlinable @inline(__always)
        mutating func append(_ event: Event<Element>) -> (GatedBuffer<Element>.Effect, mustPlan: Bool) {
            // A queue that was torn down accepts no event, and plans no delivery.
            guard !buffer.isStopped else { return (.none, false) }
            defer { isBusy = true }
            return (buffer.append(event), !isBusy)
        }

        @inlinable var hasElements: Bool { !rest.isEmpty || buffer.count > 0 }

        @inlinable @inline(__always)
        mutating func takeRest() -> ElementQueue<Element> {
            defer { rest = ElementQueue() }
            return rest
        }

        /// Moves events into the empty `batch`. If there are none, and none come because the gate opens, the queue is no longer busy.
        @inlinable
        mutating func takeBatch(
            into batch: inout ElementQueue<Element>
        ) -> (AnyObserver<Element>, Event<Element>?, GatedBuffer<Element>.Effect)? {
            guard rest.isEmpty else {
                swap(&rest, &batch)
                return downstream.map { ($0, nil, .none) }
            }
            let (stop, effect) = buffer.take(into: &batch)
            if let downstream {
                if stop != nil || !batch.isEmpty { return (downstream, stop, effect) }
                if effect.isOpening { return (downstream, nil, effect) }
            }
            isBusy = false
            return nil
        }
    }

    /// Beside its lock: one around a type that depends on the element would be looked up at the end of each queue.
    @usableFromInline @safe @exclusivity(unchecked) var state: State
    @usableFromInline let lock = Lock(())
    @usableFromInline let planned = PlannedAction()
    @usableFromInline let scheduler: any Scheduler
    /// The number of elements that are delivered before other work of the scheduler has its turn.
    @usableFromInline let batchLimit: Int
    @usableFromInline let mark = Resources.Mark("DrainQueue")
    /// Releases the events and the observer. A closure is compiled for the element; an override of a generic class is not.
    @usableFromInline let clear: @Sendable (DrainQueue) -> Void
    /// The number of elements that were taken to be delivered.
    @usableFromInline let takenCount = ProbedCount()

    /// Creates a queue that keeps as many elements as `policy` allows. With the `ImmediateScheduler`, the sending threads deliver.
    @inlinable
    init(
        _ policy: BufferingPolicy = .unbounded, on scheduler: any Scheduler, parent: Lifetime?, suspending gate: Gate? = nil,
        _ downstream: AnyObserver<Element>
    ) {
        self.scheduler = scheduler
        // There is no other work on the sending thread, and planning would nest.
        batchLimit = type(of: scheduler) == ImmediateScheduler.self ? .max : 4_096
        state = State(policy, gate, downstream)
        clear = { queue in
            // Passed out of the lock: the elements are values of the user, and the observer captures closures of the user.
            _ = queue.withState { state in
                defer { state.downstream = nil }
                return (state.buffer.removeAll(), state.takeRest(), state.downstream)
            }
        }
        super.init(parent: parent)
        Probe.queued("elements", of: self, bound: policy.bound) { queue in
            queue.withState { $0.rest.count + $0.buffer.count } + queue.takenCount.value
        }
    }

    @inlinable @inline(__always)
    func withState<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { _ in body(&state) }
    }

    /// Whether no event is queued.
    var isIdle: Bool {
        withState { $0.buffer.isEmpty }
    }

    /// Enqueues an event, unless a terminal event was enqueued. Returns `false` if the policy fails because of it: the caller must then
    /// dispose upstream. Thread-safe.
    @inlinable
    @discardableResult
    func send(_ event: Event<Element>) -> Bool {
        // The suspension is checked under the lock: the element that suspends may be the last one of a delivery that has just ended.
        if scheduler.canRunSynchronously, let downstream = withState({ isSuspended ? nil : $0.begin(with: event) }) {
            downstream.on(event)
            if !withState({ $0.endIfIdle() }) { drain() }
            return true
        }
        let (effect, mustPlan) = withState { $0.append(event) }
        let goesOn = effect.perform()
        if mustPlan { plan() }
        return goesOn
    }

    @usableFromInline
    override func tearDown() {
        planned.dispose()
        clear(self)
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
        if isSuspended, withState({ $0.hasElements }) { return park(&batch) }
        while let (downstream, stop, effect) = withState({ $0.takeBatch(into: &batch) }) {
            effect.perform()
            delivered += batch.count
            deliver(&batch, to: downstream)
            guard batch.isEmpty else { return park(&batch) }
            if let stop, isAlive { downstream.on(stop) }
            if delivered >= batchLimit { return plan() }
        }
    }

    /// Keeps the rest of a batch until downstream resumes, which schedules the delivery. A disposed queue keeps nothing.
    @usableFromInline @inline(never)
    func park(_ batch: inout ElementQueue<Element>) {
        guard let lifetime = parent, !lifetime.isDisposed else { return batch = ElementQueue() }
        withState { state in
            if !batch.isEmpty { swap(&state.rest, &batch) }
        }
        lifetime.whenResumed { [self] in plan() }
    }

    /// Whether downstream may not be delivered to.
    @inlinable var isSuspended: Bool {
        unsafe owner?._withUnsafeGuaranteedRef { $0.isSuspended } ?? false
    }

    /// Delivers a batch. This is a separate function, because elsewhere the compiler retains the observer for each element.
    @inlinable @inline(never)
    func deliver(_ batch: inout ElementQueue<Element>, to downstream: AnyObserver<Element>) {
        defer { takenCount.set(0) }
        while isAlive, !isSuspended, let element = batch.popFirst() {
            takenCount.set(batch.count + 1)
            downstream.onNext(element)
        }
    }
}

extension Observable {
    /// Starts this source in a boundary of `lifetime`: a queue, which delivers its events on `scheduler`, and suspends it as `policy` says.
    ///
    /// A source that `followsDownstream` is suspended with that too; otherwise it fills the queue meanwhile.
    @inlinable
    func start(
        queueing policy: BufferingPolicy, on scheduler: any Scheduler, in lifetime: Lifetime, followsDownstream follows: Bool,
        _ downstream: AnyObserver<Element>
    ) {
        let upstream = lifetime.boundary(followsDownstream: follows)
        let queue = DrainQueue(policy, on: scheduler, parent: lifetime, suspending: upstream, downstream)
        guard queue.attach() else { return }
        start(
            .receiving { event in
                guard let event = event.take(in: upstream) else { return }
                if !queue.send(event) { upstream.dispose() }
            }, upstream)
    }
}
