import Schedulers

/// The continuation of a source that may not emit. The source leaves it at the gate, and continues when the gate has opened.
///
/// It is created when the source has to stop for the first time, and belongs to the source's lifetime. It leaves the gate and the lifetime
/// together (`leave()`); a disposed source leaves the gate in `tearDown()`.
@usableFromInline
@safe class ParkedSource: LifetimeMember, @unchecked Sendable {
    // Accessed under the lock of the gate.
    @safe @exclusivity(unchecked) fileprivate final var isParked = false
    @safe @exclusivity(unchecked) fileprivate final var earlier: Unmanaged<ParkedSource>?
    @safe @exclusivity(unchecked) fileprivate final var later: Unmanaged<ParkedSource>?
    /// Law 2: one thread runs the source.
    @safe @exclusivity(unchecked) private final var isAttached = false
    // The name for the report of a leak: a subscription that stays suspended is never released.
    private final let mark = Resources.Mark("suspended source")

    /// Creates the continuation of a source in `lifetime`.
    @usableFromInline
    init(in lifetime: Lifetime) {
        super.init(parent: lifetime)
    }

    /// Emits until the source has terminated or may not emit; then it must call `park()` before it returns.
    @usableFromInline
    package func run() {}

    /// The lifetime of the source.
    @inlinable package final var lifetime: Lifetime { unsafe owner.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0 } }

    /// Parks the source, which has found that it may not emit. If this returns `true`, the source must return and access nothing any more:
    /// another thread may already run it. If this returns `false`, the source may emit again.
    @usableFromInline
    package final func park() -> Bool {
        let lifetime = lifetime
        if !isAttached {
            isAttached = true
            guard attach() else { return true }
        }
        guard !lifetime.isDisposed else { return true }
        guard let gate = unsafe lifetime.nearestGate?.takeUnretainedValue() else { return false }
        return withExtendedLifetime(self) {
            guard gate.park(self) else { return false }
            // The lifetime was disposed meanwhile: `tearDown` may have come earlier.
            if lifetime.isDisposed { gate.remove(self) }
            return true
        }
    }

    /// Runs the source until it first parks.
    @usableFromInline
    package final func begin() {
        if !park() { run() }
    }

    /// Ends the source, whether it is parked or running: it is then in no list. One thread calls this, once nothing can park the source any
    /// more.
    @usableFromInline
    package final func leave() {
        leaveGate()
        detach()
    }

    private final func leaveGate() {
        unsafe lifetime.nearestGate?._withUnsafeGuaranteedRef { _ = $0.remove(self) }
    }

    @usableFromInline
    package override func tearDown() {
        leaveGate()
    }
}

/// The sources that are parked at a gate, in the order of their parking. The list retains them.
@safe struct ParkedSources {
    private var first: Unmanaged<ParkedSource>?
    private var last: Unmanaged<ParkedSource>?

    var isEmpty: Bool { unsafe first == nil }

    mutating func append(_ source: ParkedSource) {
        let reference = unsafe Unmanaged.passRetained(source)
        (source.isParked, source.earlier, source.later) = unsafe (true, last, nil)
        if let last = unsafe last {
            unsafe last._withUnsafeGuaranteedRef { $0.later = unsafe reference }
        } else {
            unsafe first = unsafe reference
        }
        unsafe last = unsafe reference
    }

    /// Removes `source`, to which the caller has a reference: nothing is released under the lock.
    mutating func remove(_ source: ParkedSource) -> Bool {
        guard source.isParked else { return false }
        source.isParked = false
        defer { unsafe Unmanaged.passUnretained(source).release() }
        if let earlier = source.earlier {
            unsafe earlier._withUnsafeGuaranteedRef { $0.later = source.later }
        } else {
            unsafe first = source.later
        }
        if let later = source.later {
            unsafe later._withUnsafeGuaranteedRef { $0.earlier = source.earlier }
        } else {
            unsafe last = source.earlier
        }
        return true
    }

    mutating func popFirst() -> ParkedSource? {
        guard let source = unsafe first?.takeUnretainedValue() else { return nil }
        _ = remove(source)
        return source
    }
}

/// Resumes parked sources on one thread, one at a time. Each runs until it parks or terminates; the one that has been parked longest comes
/// first.
///
/// If a source opens another gate while it runs, it is not interrupted: the sources at that gate follow. So no source of a join starves,
/// and resuming does not grow the stack (law 5).
final class Resumptions {
    private static let thread = ThreadReference<Resumptions>()

    private var gates = ElementQueue<Gate>()

    static func run(_ opened: [Gate]) {
        if let running = thread.current {
            for gate in opened { running.gates.append(gate) }
            return
        }
        let resumptions = Resumptions()
        for gate in opened { resumptions.gates.append(gate) }
        thread.with(resumptions) {
            while let gate = resumptions.gates.popFirst() {
                guard let source = gate.takeNext() else { continue }
                // The other sources that are parked there come after those of other gates.
                resumptions.gates.append(gate)
                source.run()
            }
        }
    }
}

/// A source that emits in steps: a closure.
private final class ParkedLoop: ParkedSource, @unchecked Sendable {
    private let step: @Sendable () -> Bool

    init(in lifetime: Lifetime, _ step: @escaping @Sendable () -> Bool) {
        self.step = step
        super.init(in: lifetime)
    }

    override func run() {
        let lifetime = lifetime
        repeat {
            while lifetime.mayEmit {
                guard step() else { return leave() }
            }
        } while !park()
    }
}

/// A task that waits until its gate opens, to send an element.
private final class ParkedTask: ParkedSource, @unchecked Sendable {
    @safe private struct State {
        var isResumed = false
        var continuation: UnsafeContinuation<Void, Never>?

        mutating func resume() -> UnsafeContinuation<Void, Never>? {
            isResumed = true
            return unsafe continuation.take()
        }
    }

    // The thread that takes the continuation under the lock resumes it outside, so it is resumed once.
    private let state = Lock(State())

    /// Returns when the gate is open, the lifetime is disposed, or the task is cancelled.
    func wait() async {
        // The task itself parks, waits and leaves, one after the other. Others only end the wait.
        guard park() else { return leave() }
        await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { continuation in
                let isResumed = state.withLock { state in
                    if !state.isResumed { unsafe state.continuation = unsafe continuation }
                    return state.isResumed
                }
                if isResumed { unsafe continuation.resume() }
            }
        } onCancel: {
            run()
        }
        leave()
    }

    override func run() {
        unsafe state.withLock { unsafe $0.resume() }?.resume()
    }

    override func tearDown() {
        super.tearDown()
        run()
    }
}

/// The requests of a source to its lifetime: the only ways to wait for a consumer.
extension Lifetime {
    /// Calls `step` while the source may emit, until it returns `false`. `step` emits the next element, and returns whether there may be
    /// more. Only one call runs at a time.
    @usableFromInline
    package final func emitEach(_ step: @escaping @Sendable () -> Bool) {
        while mayEmit {
            guard step() else { return }
        }
        if !isDisposed { ParkedLoop(in: self, step).begin() }
    }

    /// Runs `action` when the source may emit: now, or when it is no longer suspended.
    @usableFromInline
    package final func whenResumed(_ action: @escaping @Sendable () -> Void) {
        emitEach {
            action()
            return false
        }
    }

    /// Emits the remaining elements of a sequence, and completes.
    @inlinable @inline(never)
    final func emitRest<Iterator: IteratorProtocol>(of iterator: Iterator, to downstream: AnyObserver<Iterator.Element>)
    where Iterator.Element: Sendable {
        // Law 2: one thread runs the source. The loop is in the step, because a closure is specialized, and an override of a generic class
        // is not.
        let iterator = SerialState(iterator)
        nonisolated(unsafe) let step = { [self] in
            repeat {
                guard let element = iterator.value.next() else {
                    downstream.onCompleted()
                    return false
                }
                downstream.onNext(element)
            } while mayEmit
            return true
        }
        emitEach { unsafe step() }
    }

    /// Waits until a source may emit its next element; returns `false` if the source is disposed or its task is cancelled.
    @usableFromInline
    package final func untilMayEmit() async -> Bool {
        while isSuspended, !isDisposed, !Task.isCancelled { await ParkedTask(in: self).wait() }
        return !isDisposed && !Task.isCancelled
    }
}
