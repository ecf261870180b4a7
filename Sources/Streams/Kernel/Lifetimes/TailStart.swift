import Schedulers

extension Observable {
    /// Starts this stream as the last upstream of an operator, which it replaces: with the operator's observer, in its lifetime.
    ///
    /// A nested call, on this thread and in that lifetime, returns before its own last upstream is started; that happens when the outermost
    /// call returns. So streams that lead to one another indefinitely do not grow the stack (law 5), and nothing of an operator is retained
    /// while its last upstream is active.
    @usableFromInline
    func startLast(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        TailStarts.run(in: lifetime) {
            Probe.startsLast(in: lifetime)
            start(downstream, lifetime)
        }
    }
}

/// The deferred last upstreams, on one thread and in one lifetime.
private final class TailStarts {
    private static let thread = ThreadReference<TailStarts>()

    private let lifetime: Lifetime
    private var waiting = ElementQueue<@Sendable () -> Void>()

    private init(_ lifetime: Lifetime) {
        self.lifetime = lifetime
    }

    static func run(in lifetime: Lifetime, _ start: @escaping @Sendable () -> Void) {
        if let running = thread.current, running.lifetime === lifetime { return running.waiting.append(start) }
        let starts = TailStarts(lifetime)
        thread.with(starts) {
            start()
            while !lifetime.isDisposed, let next = starts.waiting.popFirst() { next() }
        }
    }
}
