/// Lets at most so many elements be at work at a time; the others wait in the order in which they came.
@usableFromInline
final class ConcurrencyLimiter<Element: Sendable>: @unchecked Sendable {
    @usableFromInline let serializer = Serializer()
    @usableFromInline let limit: Int
    @usableFromInline let begin: @Sendable (Element, @escaping @Sendable () -> Void) -> Void
    @usableFromInline let refuse: @Sendable (StreamError?) -> Void
    /// Law 2: used only inside the serializer, like what follows.
    @usableFromInline @exclusivity(unchecked) var waiting: PolicyBuffer<Element>
    @usableFromInline @exclusivity(unchecked) var running = 0

    /// `begin` starts the work on an element and gets what to call when that is done. `refuse` runs for an element for which there is no
    /// room under `policy`, with the error if that is a failure.
    @inlinable
    init(
        limit: Int, _ policy: BufferingPolicy = .unbounded, refuse: @escaping @Sendable (StreamError?) -> Void = { _ in },
        begin: @escaping @Sendable (Element, @escaping @Sendable () -> Void) -> Void
    ) {
        self.limit = limit
        self.begin = begin
        self.refuse = refuse
        waiting = PolicyBuffer(policy)
    }

    /// Takes an element: begins it now, or when it is its turn.
    @inlinable
    func take(_ element: Element) {
        serializer.enqueue { [self] in
            guard running >= limit else { return run(element) }
            switch waiting.append(element) {
            case .kept: break
            case .dropped: refuse(nil)
            case .overflow(let capacity): refuse(.overflow(capacity: capacity))
            }
        }
    }

    @inlinable
    func beginNext() {
        while running < limit, let element = waiting.popFirst() { run(element) }
    }

    @inlinable
    func run(_ element: Element) {
        running += 1
        begin(element) { [self] in
            // Queued while `begin` still runs, so a source that completes in place does not grow the stack (law 5).
            serializer.enqueue { [self] in
                running -= 1
                beginNext()
            }
        }
    }
}
