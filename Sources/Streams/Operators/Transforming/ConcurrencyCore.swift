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
    @usableFromInline let suspensionCapacity: Int
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
        suspensionCapacity = policy.suspensionCapacity
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
        guard running >= limit || lifetime.isSuspended || !waiting.elements.isEmpty else { return start(element) }
        guard case .overflow(let capacity) = waiting.append(.next(element)) else { return elementWaits() }
        overflowed(.overflow(capacity: capacity), self)
    }

    @inlinable
    func beginNext() {
        while running < limit, lifetime.mayEmit, let element = waiting.elements.popFirst() { start(element) }
        guard waiting.elements.isEmpty else { return parkIfSuspended() }
        if let gate, gate.isClosed { open(gate) }
        completion.take()?()
    }

    /// Suspends the source if enough elements wait.
    @usableFromInline
    func elementWaits() {
        if waiting.elements.count >= suspensionCapacity { gate?.close() }
        parkIfSuspended()
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
