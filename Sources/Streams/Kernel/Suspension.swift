import Schedulers

/// Suspends the sources of streams by hand: for a subscriber of one's own that is slow.
///
/// ```swift
/// let suspension = Suspension()
/// let subscription = lines.suspended(by: suspension).subscribe(onNext: { line in
///     suspension.suspend()
///     writer.write(line) { suspension.resume() }
/// })
/// ```
///
/// A suspension that is no longer referenced resumes. Thread-safe.
public final class Suspension: Sendable {
    let core = SuspensionCore()

    /// Creates a suspension that suspends nothing yet.
    public init() {}

    deinit { core.resume() }

    /// Suspends the sources: called from within an observer, nothing more is emitted; from another thread, at most one element for each
    /// emitting thread. Has no effect if they are suspended.
    public func suspend() { core.suspend() }

    /// Resumes the sources, on this thread or, if they were subscribed to with `subscribe(on:)`, on that scheduler. Not from under a lock
    /// that the observers need: a synchronous source emits until it is suspended again or has terminated.
    public func resume() { core.resume() }

    /// Whether the sources are suspended.
    public var isSuspended: Bool { core.isSuspended }
}

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
