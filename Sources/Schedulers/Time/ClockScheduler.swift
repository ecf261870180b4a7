import Dispatch

/// A scheduler whose time is that of a Swift `Clock`: `ContinuousClock`, `SuspendingClock`, or one of your own tests.
///
/// Its actions run one at a time on a serial queue. However many delays are pending, one task sleeps, until the earliest of them.
public final class ClockScheduler<ClockType: Clock & Sendable>: Scheduler where ClockType.Duration == Duration {
    private struct State {
        var heap = TimerHeap()
        var sleeper: Task<Void, Never>?
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

    /// Makes a scheduler whose origin is the present time of `clock`.
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
        let deadline = now.nanoseconds.addingReportingOverflow(max(0, delay.nanoseconds))
        let entry = Entry(deadline: deadline.overflow ? .max : deadline.partialValue, scheduler: self, action)
        state.withLock { state in
            state.heap.insert(entry)
            if state.heap.first === entry { sleep(&state) }
        }
        return entry
    }

    private func remove(_ entry: Entry) {
        state.withLock { state in
            guard state.heap.remove(entry), state.heap.isEmpty else { return }
            state.sleeper?.cancel()
            state.sleeper = nil
        }
    }

    /// Lets one task sleep until the earliest deadline; the one that slept for another deadline is cancelled.
    private func sleep(_ state: inout State) {
        state.sleeper?.cancel()
        guard let deadline = state.heap.first?.deadline else { return state.sleeper = nil }
        let instant = origin.advanced(by: .nanoseconds(deadline))
        state.sleeper = Task { [self] in
            do { try await clock.sleep(until: instant, tolerance: nil) } catch { return }
            queue.async { [self] in fire() }
        }
    }

    private func fire() {
        var due: [TimerEntry] = []
        state.withLock { state in
            let time = now.nanoseconds
            while let entry = state.heap.removeFirst(dueAt: time) {
                due.append(entry)
            }
            sleep(&state)
        }
        for entry in due {
            entry.run()
        }
    }
}
