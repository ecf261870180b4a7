import Foundation

extension Observable {
    /// Starts this as the last upstream of an operator, which it replaces: with its observer, in its lifetime.
    ///
    /// A nested call, on this thread and in that lifetime, returns before its own last upstream is started: that happens when the outermost
    /// call returns. So streams that lead to one another indefinitely do not grow the stack (law 5), and nothing of an operator is retained
    /// while its last upstream is active.
    @usableFromInline
    func startLast(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        TailStarts.run(in: lifetime) { start(downstream, lifetime) }
    }
}

/// The deferred last upstreams, on one thread and in one lifetime.
private final class TailStarts {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private let lifetime: Lifetime
    private var waiting = ElementQueue<@Sendable () -> Void>()

    private init(_ lifetime: Lifetime) {
        self.lifetime = lifetime
    }

    static func run(in lifetime: Lifetime, _ start: @escaping @Sendable () -> Void) {
        let outer = pthread_getspecific(key)
        if let outer {
            let running = Unmanaged<TailStarts>.fromOpaque(outer).takeUnretainedValue()
            if running.lifetime === lifetime { return running.waiting.append(start) }
        }
        let starts = TailStarts(lifetime)
        pthread_setspecific(key, Unmanaged.passUnretained(starts).toOpaque())
        defer { pthread_setspecific(key, outer) }
        start()
        while !lifetime.isDisposed, let next = starts.waiting.popFirst() { next() }
    }
}
