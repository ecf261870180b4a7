/// Limits the number of elements being processed; the others wait in order.
@usableFromInline
final class ConcurrencyLimiter<Element: Sendable>: SharedSerializer, @unchecked Sendable {
    @usableFromInline typealias Begin = @Sendable (Element, ConcurrencyLimiter) -> Bool

    @usableFromInline let limit: Int
    @usableFromInline let begin: Begin
    @usableFromInline let overflowed: @Sendable (StreamError, ConcurrencyLimiter) -> Void
    /// Law 2: accessed only inside the serializer, like the following.
    @usableFromInline @exclusivity(unchecked) var waiting: BufferedEvents<Element>
    @usableFromInline @exclusivity(unchecked) var running = 0
    /// Whether it starts elements only when downstream resumes.
    @usableFromInline @exclusivity(unchecked) var isParked = false
    @usableFromInline @exclusivity(unchecked) var completion: (@Sendable () -> Void)?

    /// `begin` starts processing an element and returns whether it continues, in which case `finish()` must be called when it is done;
    /// `overflowed` is called for an element beyond the capacity under a policy that fails.
    @inlinable
    init(
        _ lifetime: Lifetime, limit: Int, _ policy: BufferingPolicy = .suspendedConcurrency,
        overflowed: @escaping @Sendable (StreamError, ConcurrencyLimiter) -> Void = { _, _ in }, begin: @escaping Begin
    ) {
        self.limit = limit
        self.begin = begin
        self.overflowed = overflowed
        waiting = BufferedEvents(policy)
        super.init(lifetime, gate: lifetime.gatedChild())
    }

    /// Processes an element, now or as soon as the limit allows.
    @inlinable
    func take(_ element: consuming Element) {
        perform(element, with: self) { limiter, element in limiter.receive(element) }
    }

    /// Reports that an element is done. While `begin` is still running this is queued, so that synchronous work does not grow the stack
    /// (law 5).
    @inlinable
    @Sendable
    func finish() {
        run { [self] in
            running -= 1
            beginNext()
        }
    }

    /// Runs `action` when no element is waiting any more; none may follow.
    @inlinable
    func complete(_ action: @escaping @Sendable () -> Void) {
        run { [self] in
            completion = action
            beginNext()
        }
    }

    @inlinable @inline(__always)
    func receive(_ element: consuming Element) {
        // While elements wait, the limit is reached, or it is parked.
        guard running >= limit || isParked || lifetime.isSuspended else { return start(element) }
        wait(with: element)
    }

    @inlinable @inline(never)
    func wait(with element: Element) {
        switch waiting.append(.next(element)) {
        case .overflow(let capacity): return overflowed(.overflow(capacity: capacity), self)
        case .full: gate?.close()
        case .kept, .dropped: break
        }
        parkIfSuspended()
    }

    @inlinable
    func beginNext() {
        while running < limit, lifetime.mayEmit, let element = waiting.elements.popFirst() { start(element) }
        guard waiting.elements.isEmpty else { return parkIfSuspended() }
        if let gate, gate.isClosed { open(gate) }
        completion.take()?()
    }

    /// Starts the next element when downstream resumes, if that is what it waits for and not the limit.
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
        if begin(element, self) { running += 1 }
    }
}
