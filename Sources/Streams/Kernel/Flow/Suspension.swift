import Schedulers

/// Suspends the sources of streams manually. Use it for a slow subscriber of your own.
///
/// ```swift
/// let suspension = Suspension()
/// let subscription = lines.suspended(by: suspension).subscribe(onNext: { line in
///     suspension.suspend()
///     writer.write(line) { suspension.resume() }
/// })
/// ```
///
/// When the last reference to a suspension is released, it resumes the sources. Thread-safe.
public final class Suspension: Sendable {
    @usableFromInline let core = SuspensionCore()

    /// Creates a suspension that does not suspend anything yet.
    public init() {}

    deinit { core.resume() }

    /// Suspends the sources. If you call it from within an observer, no further element is emitted; from another thread, at most one for
    /// each emitting thread. It has no effect if they are suspended already.
    public func suspend() { core.suspend() }

    /// Resumes the sources, on this thread or, if they were subscribed to with `subscribe(on:)`, on that scheduler. Do not call it under a
    /// lock that the observers need: a synchronous source emits until it is suspended again or has terminated.
    public func resume() { core.resume() }

    /// Whether the sources are suspended.
    public var isSuspended: Bool { core.isSuspended }
}

/// The gates that are closed and opened together, with the state that decides it: both are under the same lock (law 3).
package struct SuspendedGates: Sendable {
    package private(set) var isSuspended = false
    /// The gates in the order of insertion, with `nil` in the place of a removed gate. At most half of many are `nil`.
    private var gates: [Gate?] = []
    private var positions: [ObjectIdentifier: Int] = [:]
    /// The position at which a resumption begins.
    private var first = 0

    package init() {}

    /// Closes all gates, unless they are closed.
    package mutating func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        for gate in inOrder { gate.suspend() }
    }

    /// Opens all gates; the returned change is performed outside the lock.
    package mutating func resume() -> GateChange {
        isSuspended = false
        // A source that suspends again at once leaves the next resumption to the others.
        if !positions.isEmpty { repeat { first = (first + 1) % gates.count } while gates[first] == nil }
        return .several(inOrder.map { $0.resume() })
    }

    private var inOrder: [Gate] { (gates[first...] + gates[..<first]).compactMap { $0 } }

    package mutating func insert(_ gate: Gate) {
        positions[ObjectIdentifier(gate)] = gates.count
        gates.append(gate)
        if isSuspended { gate.suspend() }
    }

    /// Removes the gate and returns it, to be released outside the lock: releasing a lifetime may release values of the user.
    package mutating func remove(_ gate: Gate) -> Gate? {
        guard let position = positions.removeValue(forKey: ObjectIdentifier(gate)) else { return nil }
        defer {
            gates[position] = nil
            if gates.count > 2 * positions.count + 8 { compact() }
        }
        return gates[position]
    }

    private mutating func compact() {
        let ordered = inOrder
        (gates, first) = (ordered, 0)
        positions = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { (ObjectIdentifier($1), $0) })
    }
}

/// The gates that one suspension closes.
@usableFromInline
final class SuspensionCore: Sendable {
    private let state = Lock(SuspendedGates())
    private let scheduler: (any Scheduler)?

    /// Creates a suspension whose sources resume on `scheduler`, by default on the thread that resumes them.
    @usableFromInline
    init(resumingOn scheduler: (any Scheduler)? = nil) {
        self.scheduler = scheduler
    }

    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    @usableFromInline
    func suspend() {
        state.withLock { $0.suspend() }
    }

    @usableFromInline
    func resume() {
        state.withLock { $0.resume() }.perform()
    }

    /// Returns a gate in `parent` that is closed while this suspends its sources.
    @usableFromInline
    func gate(in parent: Lifetime) -> Gate {
        let gate = parent.boundary(resumingOn: scheduler)
        state.withLock { $0.insert(gate) }
        gate.add { [self, unowned gate] in _ = state.withLock { $0.remove(gate) } }
        return gate
    }
}
