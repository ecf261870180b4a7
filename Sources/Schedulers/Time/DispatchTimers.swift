import Dispatch

#if canImport(Glibc)
    import Glibc
#endif

/// All pending delays of one dispatch queue, in a heap with a single timer.
final class DispatchTimers: @unchecked Sendable {
    // Law 3: the heap is accessed only under the lock; Dispatch's own objects are thread-safe.
    private struct State {
        var heap = TimerHeap()
        var timer: (any DispatchSourceTimer)?
        /// Whether due actions are running: the timer is armed once, after them.
        var isFiring = false
        /// The deadline for which the timer is armed. A cancelled deadline stays: arming the timer again takes several system calls, and
        /// most deadlines are cancelled.
        var armed = Int64.max
    }

    /// A pending delay. It retains its timers, so that a delay fires even after the scheduler has been deallocated.
    private final class Entry: TimerEntry, @unchecked Sendable {
        private let timers: DispatchTimers

        init(deadline: Int64, timers: DispatchTimers, _ action: @escaping @Sendable () -> Void) {
            self.timers = timers
            super.init(deadline: deadline, action)
        }

        override func dispose() {
            // Freed outside the lock: the action captures values of the user.
            guard take() != nil else { return }
            timers.remove(self)
        }
    }

    private let queue: DispatchQueue
    private let target: DispatchQueue
    private let state = Lock(State())

    /// Creates timers that fire on `queue`, which must be serial. The actions run there, or on `target`.
    init(queue: DispatchQueue, target: DispatchQueue? = nil) {
        self.queue = queue
        self.target = target ?? queue
    }

    deinit {
        state.withLock { $0.timer }?.cancel()
    }

    /// The current time of the schedulers of the system, in nanoseconds.
    static var now: Int64 {
        SimulatedSystem.current?.scheduler.now.nanoseconds ?? systemNow
    }

    /// The current time of the timers' clock, in nanoseconds.
    static var systemNow: Int64 {
        #if canImport(Glibc)
            // The clock that Dispatch reads for its own time on this system.
            var time = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        #else
            return Int64(DispatchTime.now().uptimeNanoseconds)
        #endif
    }

    /// Converts a time of that clock for Dispatch, which takes larger numbers for times of other clocks.
    static func time(at deadline: Int64) -> DispatchTime {
        deadline < 1 << 62 ? DispatchTime(uptimeNanoseconds: UInt64(deadline)) : .distantFuture
    }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        if let standIn = target.standIn { return standIn.schedule(after: delay, action) }
        let entry = Entry(deadline: delay.deadline(from: Self.now), timers: self, action)
        state.withLock { state in
            state.heap.insert(entry)
            if entry.place == 0, !state.isFiring { arm(&state) }
        }
        return entry
    }

    /// Repeats `action` with a repeating timer of its own, which Dispatch keeps armed: to arm a timer that fires once takes several system
    /// calls.
    func schedule(after delay: Duration, every period: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        if let standIn = target.standIn { return standIn.schedulePeriodic(after: delay, every: period, action) }
        let timer = DispatchSource.makeTimerSource(queue: target)
        timer.setEventHandler(handler: Resources.bindingCounter(action))
        timer.schedule(deadline: Self.time(at: delay.deadline(from: Self.now)), repeating: .nanoseconds(Int(period.nanoseconds)))
        timer.activate()
        return RepeatingTimer(timer)
    }

    private func remove(_ entry: Entry) {
        _ = state.withLock { $0.heap.remove(entry) }
    }

    private func arm(_ state: inout State) {
        if state.timer == nil {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self?.fire() }
            state.timer = timer
            timer.activate()
        }
        guard let first = state.heap.first, first.deadline < state.armed else { return }
        state.armed = first.deadline
        state.timer?.schedule(deadline: Self.time(at: first.deadline))
    }

    private func fire() {
        let due = state.withLock { state in
            state.isFiring = true
            state.armed = .max
            return state.heap.removeAll(dueAt: Self.now)
        }
        for entry in due {
            guard target !== queue else {
                entry.run()
                continue
            }
            target.async { entry.run() }
        }
        state.withLock { state in
            state.isFiring = false
            arm(&state)
        }
    }
}

/// Cancels a timer that repeats an action.
private final class RepeatingTimer: Disposable, @unchecked Sendable {
    // Sound: Dispatch's own objects are thread-safe.
    private let timer: any DispatchSourceTimer

    init(_ timer: any DispatchSourceTimer) {
        self.timer = timer
    }

    func dispose() {
        timer.cancel()
    }
}
