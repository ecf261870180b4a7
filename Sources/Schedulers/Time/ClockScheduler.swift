import Dispatch

/// A scheduler on the time of a Swift `Clock`: `ContinuousClock`, `SuspendingClock`, or a test clock of your own.
///
/// Its actions run one at a time on a serial queue. However many delays are pending, one task sleeps until the earliest of them.
public final class ClockScheduler<ClockType: Clock & Sendable>: Scheduler where ClockType.Duration == Duration {
    private struct State {
        var heap = TimerHeap()
        var sleeper: Task<Void, Never>?
        /// The number of changes of the earliest deadline; only the task of the latest change is stored.
        var turn = 0
    }

    private final class Entry: TimerEntry, @unchecked Sendable {
        private let scheduler: ClockScheduler

        init(deadline: Int64, scheduler: ClockScheduler, _ action: @escaping @Sendable () -> Void) {
            self.scheduler = scheduler
            super.init(deadline: deadline, action)
        }

        override func dispose() {
            guard take() != nil else { return }
            scheduler.remove(self)
        }
    }

    private let clock: ClockType
    private let origin: ClockType.Instant
    private let queue = DispatchQueue(label: "streams.clock")
    private let state = Lock(State())

    /// Creates a scheduler whose origin is the current time of `clock`.
    public init(_ clock: ClockType) {
        self.clock = clock
        origin = clock.now
    }

    public var now: Duration {
        origin.duration(to: clock.now)
    }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        queue.run(action)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        let entry = Entry(deadline: delay.deadline(from: now.nanoseconds), scheduler: self, action)
        let isEarliest = state.withLock { state -> Bool in
            state.heap.insert(entry)
            return state.heap.first === entry
        }
        if isEarliest { sleep() }
        return entry
    }

    private func remove(_ entry: Entry) {
        let isEmpty = state.withLock { state in state.heap.remove(entry) && state.heap.isEmpty }
        if isEmpty { sleep() }
    }

    /// Starts a task that sleeps until the earliest deadline, and cancels the previous one.
    ///
    /// The clock and cancellation handlers are user code: they run outside the lock (law 3).
    private func sleep() {
        let (before, deadline, turn) = state.withLock { state in
            state.turn += 1
            return (state.sleeper.take(), state.heap.first?.deadline, state.turn)
        }
        before?.cancel()
        guard let deadline, deadline < .max else { return }
        let instant = origin.advanced(by: .nanoseconds(deadline))
        let task = Task { [self] in
            do { try await clock.sleep(until: instant, tolerance: nil) } catch { return }
            _ = queue.run { [self] in fire() }
        }
        let isOutdated = state.withLock { state -> Bool in
            guard state.turn == turn else { return true }
            state.sleeper = task
            return false
        }
        if isOutdated { task.cancel() }
    }

    private func fire() {
        let time = now.nanoseconds
        let due = state.withLock { $0.heap.removeAll(dueAt: time) }
        sleep()
        for entry in due {
            entry.run()
        }
    }
}
