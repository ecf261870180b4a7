/// Lets at most so many elements be at work at a time; the others wait in the order in which they came.
@usableFromInline
final class ConcurrencyLimiter<Element: Sendable>: SharedSerializer, @unchecked Sendable {
    @usableFromInline typealias Begin = @Sendable (Element, ConcurrencyLimiter) -> Bool

    @usableFromInline let limit: Int
    @usableFromInline let begin: Begin
    @usableFromInline let overflowed: @Sendable (StreamError, ConcurrencyLimiter) -> Void
    /// Law 2: used only inside the serializer, like what follows.
    @usableFromInline @exclusivity(unchecked) var waiting: PolicyBuffer<Element>
    @usableFromInline @exclusivity(unchecked) var running = 0
    @usableFromInline @exclusivity(unchecked) var completion: (@Sendable () -> Void)?

    /// `begin` starts the work on an element and says whether it goes on, in which case `finish()` must be called when it is done;
    /// `overflowed` runs for an element for which there is no room under a policy that fails.
    @inlinable
    init(
        _ lifetime: Lifetime, limit: Int, _ policy: BufferingPolicy = .unbounded,
        overflowed: @escaping @Sendable (StreamError, ConcurrencyLimiter) -> Void = { _, _ in }, begin: @escaping Begin
    ) {
        self.limit = limit
        self.begin = begin
        self.overflowed = overflowed
        waiting = PolicyBuffer(policy)
        super.init(lifetime)
    }

    /// Takes an element: begins it now, or when it is its turn.
    @inlinable
    func take(_ element: consuming Element) {
        perform(element) { [self] element in receive(element) }
    }

    /// Says that the work on an element is done. While `begin` still runs this waits, so what is done at once does not grow the stack
    /// (law 5).
    @inlinable
    @Sendable
    func finish() {
        run { [self] in
            running -= 1
            beginNext()
        }
    }

    /// Runs `action` when no element waits any more; none may come after this.
    @inlinable
    func complete(_ action: @escaping @Sendable () -> Void) {
        run { [self] in
            completion = action
            beginNext()
        }
    }

    @inlinable @inline(__always)
    func receive(_ element: consuming Element) {
        guard running >= limit else { return start(element) }
        guard case .overflow(let capacity) = waiting.append(element) else { return }
        overflowed(.overflow(capacity: capacity), self)
    }

    @inlinable
    func beginNext() {
        while running < limit, !lifetime.isDisposed, let element = waiting.popFirst() { start(element) }
        if waiting.isEmpty { completion.take()?() }
    }

    @inlinable @inline(__always)
    func start(_ element: consuming Element) {
        if begin(element, self) { running += 1 }
    }
}
