import Schedulers

/// The gates that one suspension closes.
final class SuspensionCore: Sendable {
    private struct State {
        var isSuspended = false
        /// The gate whose sources resumed first last time is the last one.
        var gates: [Gate] = []
    }

    // Law 3: gates are marked under the lock, and announce their state outside.
    private let state = Lock(State())
    private let scheduler: (any Scheduler)?

    /// Creates a suspension whose sources resume on `scheduler`, by default on the thread that resumes them.
    init(resumingOn scheduler: (any Scheduler)? = nil) {
        self.scheduler = scheduler
    }

    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    func suspend() {
        for gate in mark(isSuspended: true) { gate.announceClosing() }
    }

    func resume() {
        for gate in mark(isSuspended: false) { gate.announce() }
    }

    /// Returns the gates that changed.
    private func mark(isSuspended: Bool) -> [Gate] {
        state.withLock { state in
            state.isSuspended = isSuspended
            // A source that suspends again at once leaves the next resumption to the others.
            if !isSuspended, state.gates.count > 1 { state.gates.append(state.gates.removeFirst()) }
            return state.gates.filter { $0.mark(closed: isSuspended) }
        }
    }

    /// Returns a gate in `parent` that is closed while this suspends.
    func gate(in parent: Lifetime) -> Gate {
        let gate = parent.gatedChild(resumingOn: scheduler)
        state.withLock { state in
            state.gates.append(gate)
            if state.isSuspended { gate.mark(closed: true) }
        }
        gate.add { [self, unowned gate] in
            // Passed out of the lock: releasing a lifetime may release values of the user.
            _ = state.withLock { state in state.gates.firstIndex { $0 === gate }.map { state.gates.remove(at: $0) } }
        }
        return gate
    }
}

extension Observable {
    /// Starts this source in a child of `lifetime`, suspended by `core`; what a source that cannot be suspended emits is buffered.
    func start(_ downstream: AnyObserver<Element>, in lifetime: Lifetime, suspendedBy core: SuspensionCore, _ policy: BufferingPolicy) {
        let gate = core.gate(in: lifetime)
        let upstream = gate.gatedChild()
        let queue = DrainQueue(policy, on: ImmediateScheduler.instance, parent: gate, suspending: upstream, downstream)
        guard queue.attach() else { return }
        start(
            AnyObserver.receiving { event in
                let event = event.take()
                guard upstream.admits(event) else { return }
                if !queue.send(event) { upstream.dispose() }
            }, upstream)
    }
}
