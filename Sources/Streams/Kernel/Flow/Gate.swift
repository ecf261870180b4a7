import Schedulers
import Synchronization

/// A lifetime whose sources can be suspended. It is the upstream of a boundary, where elements can wait.
///
/// The lifetimes above the gate, up to the next boundary, carry a reference to it, and their sources ask `mayEmit` before they take an
/// element. A source that may not emit parks here (`ParkedSource`), and resumes when the gate opens. Its own boundary closes a gate, or the
/// gate of the next boundary downstream does.
@usableFromInline
@safe package class Gate: Lifetime, @unchecked Sendable {
    /// The reasons why a gate is closed; there may be several at a time.
    @usableFromInline
    package struct Reason: Sendable {
        /// The boundary of the gate is full.
        @usableFromInline package static let boundary = Reason(bit: 1)
        /// The next gate downstream is closed.
        static let downstream = Reason(bit: 2)
        /// Too many inputs from upstream are queued in a serializer.
        @usableFromInline package static let backlog = Reason(bit: 4)

        @usableFromInline let bit: UInt
    }

    @safe private struct State {
        var parked = ParkedSources()
        /// The newest of the gates upstream whose next gate downstream is this one. The list retains them until they are disposed: a
        /// reference that is taken while the list is read must not be the last one.
        var upstream: Unmanaged<Gate>?
        /// The scheduler on which the sources resume; by default they resume on the thread that opens the gate.
        var scheduler: ResumingScheduler?
    }

    /// A scheduler in one word: few gates have one, and a gate is created for each subscription.
    @usableFromInline
    final class ResumingScheduler: Sendable {
        fileprivate let scheduler: any Scheduler

        init(_ scheduler: any Scheduler) {
            self.scheduler = scheduler
        }
    }

    @usableFromInline final let word = Atomic<UInt>(0)
    /// The time at which the gate was last closed, while anything was inspected.
    package final let closedAt = ProbedCount()
    // Law 3: under the lock of a gate only gates upstream are locked, no user code runs, and nothing is released.
    private final let state = Lock(State())
    private final let downstream: Unmanaged<Gate>?
    private final let isForScheduler: Bool
    // Accessed under the lock of the gate downstream.
    @safe @exclusivity(unchecked) private final var olderGate: Unmanaged<Gate>?
    @safe @exclusivity(unchecked) private final var newerGate: Unmanaged<Gate>?
    @safe @exclusivity(unchecked) private final var isListed = false

    /// Creates the gate at the end of a chain.
    @usableFromInline
    package init() {
        unsafe (downstream, isForScheduler) = (nil, false)
        super.init()
        nearestGate = unsafe .passUnretained(self)
    }

    /// Creates the gate of an operator; `attach()` registers it as a lifetime. The sources resume on `scheduler`, by default on that of the
    /// gate downstream, and otherwise on the thread that opens the gate. The gate closes with the gate downstream only if it `follows`
    /// that.
    @usableFromInline
    init(of parent: borrowing Lifetime, resumingOn scheduler: ResumingScheduler? = nil, follows: Bool) {
        unsafe downstream = follows ? parent.nearestGate : nil
        isForScheduler = scheduler != nil
        super.init(of: parent)
        nearestGate = unsafe .passUnretained(self)
        let inherited = unsafe downstream?._withUnsafeGuaranteedRef { $0.insert(self) }
        if let scheduler = scheduler ?? inherited { state.withLock { $0.scheduler = scheduler } }
    }

    /// Leaves the gate downstream, because the sources have been disposed.
    final func leave() {
        unsafe downstream?._withUnsafeGuaranteedRef { $0.remove(self) }
    }

    @inlinable @inline(__always)
    package final var isClosed: Bool { word.load(ordering: .relaxed) != 0 }

    /// Makes the sources resume on `scheduler`, if the gate was created for another one. Returns whether it was.
    final func replaceScheduler(with scheduler: any Scheduler) -> Bool {
        guard isForScheduler else { return false }
        let new = ResumingScheduler(scheduler)
        let last = state.withLock { state in
            defer { state.scheduler = new }
            return state.scheduler
        }
        return last != nil
    }

    /// Closes the gate and those upstream: under the lock or inside the serializer that decides it. This runs no user code.
    ///
    /// The gate is marked last, under its lock, so that a thread that finds it closed finds the gates upstream closed too.
    @usableFromInline
    package final func suspend(for reason: Reason = .boundary) {
        guard !isClosed(for: reason) else { return }
        state.withLock { state in
            forEachUpstream(of: state) { $0.suspend(for: .downstream) }
            if word.bitwiseOr(reason.bit, ordering: .sequentiallyConsistent).oldValue == 0 { Probe.closed(self) }
        }
    }

    /// Opens the gate for `reason`: under the lock or inside the serializer that decides it. The returned change is performed outside of
    /// these, and resumes the sources, unless there is another reason by then.
    @usableFromInline
    package final func resume(for reason: Reason = .boundary) -> GateChange {
        unmark(reason) ? .opened(self) : .none
    }

    /// Returns whether the gate was closed for `reason`.
    private final func unmark(_ reason: Reason) -> Bool {
        word.bitwiseAnd(~reason.bit, ordering: .sequentiallyConsistent).oldValue & reason.bit != 0
    }

    private final func isClosed(for reason: Reason) -> Bool { word.load(ordering: .acquiring) & reason.bit != 0 }

    /// Whether queued inputs close the gate, and not its boundary.
    package final var isBacklogged: Bool { word.load(ordering: .relaxed) == Reason.backlog.bit }

    /// The next gate from here downstream that is closed for a reason of its own.
    final var closedDownstream: Gate? {
        var next: Gate? = self
        while let gate = next {
            let word = gate.word.load(ordering: .relaxed)
            guard word != 0 else { return nil }
            guard word == Reason.downstream.bit else { return gate }
            next = unsafe gate.downstream?.takeUnretainedValue()
        }
        return nil
    }

    /// Opens the gates upstream, unless this gate was closed again, and resumes the sources that are parked at those that are open.
    fileprivate final func announce() {
        LockProbe.expectNoLock()
        var opened: [(gate: Gate, scheduler: (any Scheduler)?)] = []
        openUpstream(&opened)
        for (gate, scheduler) in opened {
            if let scheduler { PlannedResumption.plan(for: gate, on: scheduler) }
        }
        let here = opened.filter { $0.scheduler == nil }.map(\.gate)
        if !here.isEmpty { Resumptions.run(here) }
    }

    /// Opens the gates upstream, and adds to `opened` those whose parked sources may emit. Law 5: the recursion is as deep as boundaries
    /// are nested, as for subscribing to them.
    private final func openUpstream(_ opened: inout [(gate: Gate, scheduler: (any Scheduler)?)]) {
        state.withLock { state in
            guard !isClosed else { return }
            if !state.parked.isEmpty { opened.append((self, state.scheduler?.scheduler)) }
            forEachUpstream(of: state) { if $0.unmark(.downstream) { $0.openUpstream(&opened) } }
        }
    }

    /// Calls `body` with the gates upstream. Called under the lock.
    private final func forEachUpstream(of state: borrowing State, _ body: (Gate) -> Void) {
        var next = unsafe state.upstream
        while let gate = unsafe next {
            unsafe gate._withUnsafeGuaranteedRef { gate in
                unsafe next = gate.olderGate
                body(gate)
            }
        }
    }

    /// Registers a gate; returns the scheduler on which its sources resume.
    private final func insert(_ gate: Gate) -> ResumingScheduler? {
        let reference = unsafe Unmanaged.passRetained(gate)
        return state.withLock { state in
            gate.isListed = true
            gate.olderGate = unsafe state.upstream
            unsafe state.upstream?._withUnsafeGuaranteedRef { $0.newerGate = unsafe reference }
            unsafe state.upstream = unsafe reference
            if isClosed { gate.suspend(for: .downstream) }
            return state.scheduler
        }
    }

    private final func remove(_ gate: Gate) {
        let wasListed = state.withLock { state in
            guard gate.isListed else { return false }
            gate.isListed = false
            unsafe gate.olderGate?._withUnsafeGuaranteedRef { $0.newerGate = gate.newerGate }
            if let newerGate = gate.newerGate {
                unsafe newerGate._withUnsafeGuaranteedRef { $0.olderGate = gate.olderGate }
            } else {
                unsafe state.upstream = gate.olderGate
            }
            return true
        }
        if wasListed { unsafe Unmanaged.passUnretained(gate).release() }
    }

    /// Parks `source` until the gate opens; returns `false` if it is open.
    final func park(_ source: ParkedSource) -> Bool {
        state.withLock { state in
            guard isClosed else { return false }
            state.parked.append(source)
            return true
        }
    }

    /// Takes the source that has been parked longest, if the gate is open.
    final func takeNext() -> ParkedSource? {
        state.withLock { state in isClosed ? nil : state.parked.popFirst() }
    }

    /// Removes `source`; returns whether it was parked.
    @discardableResult
    final func remove(_ source: ParkedSource) -> Bool {
        state.withLock { state in state.parked.remove(source) }
    }
}

/// The work that follows from opening a gate. The opening is decided under a lock or inside a serializer, together with the state that
/// decides it, and this is performed outside. Closing a gate leaves no work.
///
/// Performing it late does no harm: a gate that was closed meanwhile remains closed.
@usableFromInline
package enum GateChange: Sendable {
    case none
    case opened(Gate)
    case several([GateChange])

    /// Opens the gates upstream, and runs the sources that are parked at a gate that was opened: on this thread, neither under a lock nor
    /// inside a serializer of the boundary.
    @usableFromInline
    package func perform() {
        switch self {
        case .none: break
        case .opened(let gate): gate.announce()
        case .several(let changes): for change in changes { change.perform() }
        }
    }
}

/// The planned resumption of the sources at a gate, which is cancelled when they are disposed.
private final class PlannedResumption: LifetimeMember, @unchecked Sendable {
    private let planned = PlannedAction()

    static func plan(for gate: Gate, on scheduler: any Scheduler) {
        let resumption = PlannedResumption(parent: gate)
        guard resumption.attach() else { return }
        resumption.planned.plan {
            scheduler.schedule {
                resumption.detach()
                Resumptions.run([gate])
            }
        }
    }

    override func tearDown() {
        planned.dispose()
    }
}

/// The flow that operators and boundaries get from a lifetime.
extension Lifetime {
    /// Returns the lifetime of upstreams that a boundary suspends: a child whose sources ask its own gate. Unless the boundary keeps what
    /// arrives while downstream is suspended, its upstreams are suspended then, too.
    @usableFromInline
    package final func boundary(followsDownstream follows: Bool = true) -> Gate {
        let child = Gate(of: self, follows: follows)
        child.attach()
        return child
    }

    /// Returns such a lifetime whose sources resume on `scheduler`, if there is one.
    package final func boundary(resumingOn scheduler: (any Scheduler)?) -> Gate {
        let child = Gate(of: self, resumingOn: scheduler.map { Gate.ResumingScheduler($0) }, follows: true)
        child.attach()
        return child
    }

    /// Returns the lifetime of an upstream that resumes on `scheduler`: this, if its only source did so on another one, so that a loop
    /// through `subscribe(on:)` adds no lifetime in each round.
    @usableFromInline
    final func resuming(on scheduler: any Scheduler) -> Lifetime {
        if let gate = self as? Gate, gate.replaceScheduler(with: scheduler) { return gate }
        return boundary(resumingOn: scheduler)
    }

    /// The gate that suspends its sources by itself; `nil` if they are not suspended.
    package final var closedGate: Gate? {
        guard isSuspended else { return nil }
        return unsafe nearestGate?.takeUnretainedValue().closedDownstream
    }
}
