import Synchronization

/// Limits the number of elements being processed; the others wait in order.
@usableFromInline
final class ConcurrencyLimiter<Element: Sendable>: SharedSerializer, @unchecked Sendable {
    @usableFromInline typealias Begin = @Sendable (Element, ConcurrencyLimiter) -> Bool

    @usableFromInline let limit: Int
    @usableFromInline let begin: Begin
    @usableFromInline let stopped: @Sendable ((any Error)?) -> Void
    /// Law 2: accessed only inside the serializer, like the following.
    @usableFromInline @safe @exclusivity(unchecked) var waiting: GatedBuffer<Element>
    @usableFromInline @safe @exclusivity(unchecked) var running = 0
    /// While `begin` runs, one more than the number of elements that have been done meanwhile; otherwise 0.
    @usableFromInline let beginning = Atomic<Int>(0)
    /// Whether the next element starts only when downstream resumes.
    @usableFromInline @safe @exclusivity(unchecked) var isParked = false
    /// Whether upstream has terminated and that has not been reported yet.
    @usableFromInline @safe @exclusivity(unchecked) var isStopping = false
    @usableFromInline let waitingCount = ProbedCount()

    /// Creates a limiter. `begin` starts processing an element and returns whether the work continues; if it does, call `finish()` when it
    /// is done. `stopped` is called with an error of upstream, or of a policy that fails. It is called without an error when upstream has
    /// terminated and all elements have been started.
    @inlinable
    init(
        _ lifetime: Lifetime, limit: Int, _ policy: BufferingPolicy = .waitingForTurn,
        stopped: @escaping @Sendable ((any Error)?) -> Void = { _ in }, begin: @escaping Begin
    ) {
        self.limit = limit
        self.begin = begin
        self.stopped = stopped
        let gate = lifetime.boundary()
        waiting = GatedBuffer(policy, suspending: gate)
        super.init(lifetime, gate: gate)
        Probe.queued("elements", of: self, bound: policy.bound) { $0.waitingCount.value }
    }

    /// Processes the elements of `source`.
    @inlinable @inline(__always)
    func subscribe(to source: Observable<Element>) {
        // Upstream runs in the gate that this was created with. The observer owns the limiter; if the limiter were inlined into the loop of
        // a source, it would be retained for each element.
        let limiter = unsafe Unmanaged.passUnretained(self)
        source.start(
            .receiving { [self] event in
                guard let event = event.take(in: gate) else { return }
                switch consume event {
                case .next(let element): unsafe limiter._withUnsafeGuaranteedRef { $0.take(element) }
                case .error(let error): unsafe limiter._withUnsafeGuaranteedRef { $0.stop(with: error) }
                case .completed: unsafe limiter._withUnsafeGuaranteedRef { $0.stop(with: nil) }
                }
                extendLifetime(self)
            }, gate)
    }

    /// Processes an element now, or as soon as the limit allows.
    @inlinable
    func take(_ element: consuming Element) {
        serialize(element, with: self) { limiter, element in limiter.receive(element) }
    }

    /// Reports that an element is done. While `begin` is running the report is counted, so that synchronous work neither grows the stack
    /// (law 5) nor is queued.
    @inlinable
    @Sendable
    func finish() {
        guard !finishWhileBeginning() else { return }
        run { [self] in
            running -= 1
            beginNext()
        }
    }

    @inlinable
    func finishWhileBeginning() -> Bool {
        var count = beginning.load(ordering: .relaxed)
        while count > 0 {
            let outcome = beginning.weakCompareExchange(expected: count, desired: count + 1, ordering: .acquiringAndReleasing)
            guard !outcome.exchanged else { return true }
            count = outcome.original
        }
        return false
    }

    /// Reports an error now, and the end when no element waits any more; nothing may follow.
    @inlinable @inline(never)
    func stop(with error: (any Error)?) {
        if let error { stopped(error) }
        run { [self] in
            isStopping = true
            beginNext()
        }
    }

    @inlinable @inline(__always)
    func receive(_ element: consuming Element) {
        // An element waits while others wait, the limit is reached, or the limiter is parked.
        guard running >= limit || isParked || lifetime.isSuspended else { return start(element) }
        wait(with: element)
    }

    @inlinable @inline(never)
    func wait(with element: Element) {
        let effect = waiting.append(.next(element))
        if case .overflow(let capacity) = effect {
            gate.dispose()
            return stop(with: StreamError.overflow(capacity: capacity))
        }
        effect.perform()
        waitingCount.set(waiting.count)
        parkIfSuspended()
    }

    @inlinable
    func beginNext() {
        while running < limit, lifetime.mayEmit, let element = waiting.popFirst() { start(element) }
        waitingCount.set(waiting.count)
        guard waiting.count == 0 else { return parkIfSuspended() }
        if gate.isClosed { resume(gate) }
        guard isStopping else { return }
        isStopping = false
        stopped(nil)
    }

    /// Starts the next element when downstream resumes, if the element waits for that and not for the limit.
    @usableFromInline
    func parkIfSuspended() {
        guard running < limit, !isParked else { return }
        isParked = true
        runWhenResumed { [self] in
            isParked = false
            beginNext()
        }
    }

    @inlinable @inline(__always)
    func start(_ element: consuming Element) {
        beginning.store(1, ordering: .relaxed)
        if begin(element, self) { running += 1 }
        running -= beginning.exchange(0, ordering: .acquiringAndReleasing) - 1
    }
}
