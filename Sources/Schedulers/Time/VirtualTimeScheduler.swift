/// A scheduler whose time passes only when it is advanced: a test of a minute runs in a microsecond, deterministically.
///
/// Actions run on the thread that advances the time, in the order of their times, and those of the same time in the order in which they
/// were scheduled. Only one thread at a time may advance it; scheduling and disposing are thread-safe. Time ends after 292 years: later
/// actions never run.
/// Source: [RxJS, VirtualTimeScheduler](https://rxjs.dev/api/index/class/VirtualTimeScheduler).
public final class VirtualTimeScheduler: Scheduler {
    private struct State {
        var heap = TimerHeap()
        var now: Int64 = 0
        var isStopped = false
    }

    /// The actions and the time, apart from the scheduler, so that a pending entry does not retain the scheduler.
    private final class Line: Sendable {
        let state = Lock(State())
    }

    private final class Entry: TimerEntry, @unchecked Sendable {
        private let line: Line

        init(deadline: Int64, line: Line, _ action: @escaping @Sendable () -> Void) {
            self.line = line
            super.init(deadline: deadline, action)
        }

        override func dispose() {
            guard take() != nil else { return }
            _ = line.state.withLock { $0.heap.remove(self) }
        }
    }

    /// The last time that can be reached.
    private static let end = Int64.max - 1

    private let line = Line()

    /// Creates a scheduler at time zero.
    public init() {}

    deinit {
        // Nobody can advance the time any more: pending entries would keep themselves alive.
        while let entry = nextEntry(until: .max) {
            entry.dispose()
        }
    }

    public var now: Duration {
        .nanoseconds(line.state.withLock { $0.now })
    }

    /// Whether nothing is scheduled.
    public var isIdle: Bool {
        line.state.withLock { $0.heap.isEmpty }
    }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        schedule(after: .zero, action)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        line.state.withLock { state in
            let entry = Entry(deadline: delay.deadline(from: state.now), line: line, action)
            state.heap.insert(entry)
            return entry
        }
    }

    /// Runs the actions due until `time` and sets the clock to `time`. Does nothing if `time` has passed.
    public func advance(to time: Duration) {
        let end = min(time.nanoseconds, Self.end)
        guard runEntries(until: end) else { return }
        line.state.withLock { $0.now = max($0.now, end) }
    }

    /// Advances the time by `duration`.
    public func advance(by duration: Duration) {
        advance(to: now + duration.clamped)
    }

    /// Runs all scheduled actions, including those scheduled meanwhile, and stops at the time of the last one.
    ///
    /// Never returns while actions keep scheduling others; use `advance(to:)` for those.
    public func run() {
        _ = runEntries(until: Self.end)
    }

    /// Ends the advance or run that is under way, after the current action and at its time; the next one continues.
    public func stop() {
        line.state.withLock { $0.isStopped = true }
    }

    /// Sets the clock ahead by `duration` without running the actions due meanwhile: they are late, and run at the next advance.
    public func sleep(_ duration: Duration) {
        line.state.withLock { state in
            state.now = min(max(duration.deadline(from: state.now), state.now), Self.end)
        }
    }

    /// Runs the actions due until `end`; returns whether none of them stopped it.
    private func runEntries(until end: Int64) -> Bool {
        line.state.withLock { $0.isStopped = false }
        while let entry = nextEntry(until: end) {
            entry.run()
            guard !line.state.withLock({ $0.isStopped }) else { return false }
        }
        return true
    }

    private func nextEntry(until end: Int64) -> TimerEntry? {
        line.state.withLock { state in
            guard let entry = state.heap.removeFirst(dueAt: end) else { return nil }
            state.now = min(max(state.now, entry.deadline), Self.end)
            return entry
        }
    }
}
