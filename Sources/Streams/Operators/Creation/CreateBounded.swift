import Schedulers

extension Observable {
    /// Implements `create` with a bounded buffer.
    @usableFromInline
    static func createBounded(
        _ policy: BufferingPolicy, _ subscribe: @Sendable (AnyObserver<Element>) -> any Disposable,
        _ downstream: AnyObserver<Element>, _ lifetime: Lifetime
    ) {
        let emitter = BoundedEmitter(downstream, policy, parent: lifetime)
        guard emitter.attach() else { return }
        lifetime.add(subscribe(AnyObserver { event in emitter.on(event) }))
    }
}

/// The observer of a bounded `create`: like `Emitter`, with a buffer that follows the policy.
private final class BoundedEmitter<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    // Law 3: the state is accessed only under the lock.
    private struct State {
        var waiting: PolicyBuffer<Element>
        var stop: Event<Element>?
        var downstream: AnyObserver<Element>?
        /// Whether the terminal event was accepted.
        var isDone = false
        /// Whether events are being delivered.
        var isBusy = false
    }

    private let state: Lock<State>
    private let mark = Resources.Mark("BoundedEmitter")

    init(_ downstream: AnyObserver<Element>, _ policy: BufferingPolicy, parent: Lifetime) {
        state = Lock(State(waiting: PolicyBuffer(policy), downstream: downstream))
        super.init(parent: parent)
    }

    func on(_ event: Event<Element>) {
        let (outcome, mustDeliver) = state.withLock { state -> (PolicyBuffer<Element>.Outcome, Bool) in
            guard !state.isDone, state.downstream != nil else { return (.kept, false) }
            var outcome = PolicyBuffer<Element>.Outcome.kept
            if case .next(let element) = event { outcome = state.waiting.append(element) } else { state.stop = event }
            if case .overflow(let capacity) = outcome { state.stop = .error(StreamError.overflow(capacity: capacity)) }
            state.isDone = state.stop != nil
            defer { state.isBusy = true }
            return (outcome, !state.isBusy)
        }
        withExtendedLifetime(outcome) { if mustDeliver { deliver() } }
    }

    override func tearDown() {
        // Passed out of the lock: the buffered elements are a user's values, and the observer captures a user's closures.
        _ = state.withLock { state in (state.waiting.removeAll(), state.stop.take(), state.downstream.take()) }
    }

    private func deliver() {
        while let (event, downstream) = next() {
            guard isAlive else { continue }
            downstream.on(event)
        }
    }

    private func next() -> (Event<Element>, AnyObserver<Element>)? {
        state.withLock { state in
            guard let downstream = state.downstream, let event = state.waiting.popFirst().map({ .next($0) }) ?? state.stop.take() else {
                state.isBusy = false
                return nil
            }
            return (event, downstream)
        }
    }
}
