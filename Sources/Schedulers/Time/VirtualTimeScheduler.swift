import Synchronization

/// A scheduler whose time passes only when you advance it: a test of a minute runs in a microsecond, deterministically.
///
/// Actions run on the thread that advances the time, in the order of their times; actions of the same time run in the order in which they
/// were scheduled. Only one thread at a time may advance it; scheduling and disposing are thread-safe. Time ends after 292 years: later
/// actions never run.
/// Source: [RxJS, VirtualTimeScheduler](https://rxjs.dev/api/index/class/VirtualTimeScheduler).
public final class VirtualTimeScheduler: RepeatingScheduler {
    /// The actions and the time, apart from the scheduler, so that a pending entry does not retain the scheduler.
    private final class Line: Sendable {
        let heap = Lock(TimerHeap())
        /// The current time, which changes only under the lock of the heap.
        let time = Atomic<Int64>(0)
        let isStopped = Atomic(false)

        var now: Int64 {
            get { time.load(ordering: .acquiring) }
            set { time.store(newValue, ordering: .releasing) }
        }
    }

    private class Entry: TimerEntry, @unchecked Sendable {
        final let line: Line

        init(deadline: Int64, line: Line, _ action: @escaping @Sendable () -> Void) {
            self.line = line
            super.init(deadline: deadline, action)
        }

        override func dispose() {
            guard take() != nil else { return }
            _ = line.heap.withLock { $0.remove(self) }
        }
    }

    /// An action that returns to the heap after each run, unless it has been disposed.
    private final class RepeatedEntry: Entry, @unchecked Sendable {
        // Law 3: the time changes only under the lock of the heap.
        private var time: Duration
        private let period: Duration
        private let action: @Sendable () -> Void

        init(time: Duration, period: Duration, line: Line, _ action: @escaping @Sendable () -> Void) {
            self.time = time
            self.period = period
            self.action = Resources.bindingCounter(action)
            super.init(deadline: time.deadline(from: 0), line: line, action)
        }

        override func run() {
            guard !isOver else { return }
            LockProbe.expectNoLock()
            action()
            line.heap.withLock { heap in
                guard !isOver else { return }
                time = time.next(every: period, after: .nanoseconds(line.now))
                deadline = time.deadline(from: 0)
                heap.insert(self)
            }
        }
    }

    /// The last time that can be reached.
    private static let end = Int64.max - 1

    private let line = Line()

    /// Creates a scheduler at time zero.
    public init() {}

    deinit {
        // The time can no longer be advanced, and pending entries would keep themselves alive.
        while let entry = nextEntry(until: .max) {
            entry.dispose()
        }
    }

    public var now: Duration {
        .nanoseconds(line.now)
    }

    /// Whether no action is scheduled.
    public var isIdle: Bool {
        line.heap.withLock { $0.isEmpty }
    }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        schedule(after: .zero, action)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        line.heap.withLock { heap in
            let entry = Entry(deadline: delay.deadline(from: line.now), line: line, action)
            heap.insert(entry)
            return entry
        }
    }

    package func schedule(after delay: Duration, every period: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        line.heap.withLock { heap in
            let entry = RepeatedEntry(time: now + delay, period: period, line: line, action)
            heap.insert(entry)
            return entry
        }
    }

    /// Runs the actions due until `time` and sets the clock to `time`. Does nothing if `time` has passed.
    public func advance(to time: Duration) {
        let end = min(time.nanoseconds, Self.end)
        guard runEntries(until: end) else { return }
        line.heap.withLock { _ in line.now = max(line.now, end) }
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

    /// Runs the next action and sets the clock to its time. Returns whether there was one.
    package func runNext() -> Bool {
        guard let entry = nextEntry(until: Self.end) else { return false }
        entry.run()
        return true
    }

    /// Ends the running advance or run after the current action, at its time. The next one continues from there.
    public func stop() {
        line.isStopped.store(true, ordering: .releasing)
    }

    /// Sets the clock ahead by `duration` without running the actions that become due: they are late, and run at the next advance.
    public func sleep(_ duration: Duration) {
        line.heap.withLock { _ in line.now = min(max(duration.deadline(from: line.now), line.now), Self.end) }
    }

    /// Runs the actions due until `end`; returns whether none of them stopped the run.
    private func runEntries(until end: Int64) -> Bool {
        line.isStopped.store(false, ordering: .releasing)
        while let entry = nextEntry(until: end) {
            entry.run()
            guard !line.isStopped.load(ordering: .acquiring) else { return false }
        }
        return true
    }

    private func nextEntry(until end: Int64) -> TimerEntry? {
        line.heap.withLock { heap in
            guard let entry = heap.removeFirst(dueAt: end) else { return nil }
            line.now = min(max(line.now, entry.deadline), Self.end)
            return entry
        }
    }
}
