/// A scheduler whose time passes only when it is told to: tests of a minute run in a microsecond, and always alike.
///
/// Actions run on the thread that advances the time, in the order of their times, and those of one time in the order in which they were
/// scheduled. One thread at a time may advance it; scheduling and disposing are allowed from any. Time ends after 292 years: what is
/// scheduled for later never runs.
/// Source: [RxJS, VirtualTimeScheduler](https://rxjs.dev/api/index/class/VirtualTimeScheduler).
public final class VirtualTimeScheduler: Scheduler {
    private struct State {
        var heap = TimerHeap()
        var now: Int64 = 0
    }

    /// The actions and the time; apart from the scheduler, so that an entry which waits does not keep the scheduler.
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

    /// The last time that comes.
    private static let end = Int64.max - 1

    private let line = Line()

    /// Makes a scheduler at time zero.
    public init() {}

    deinit {
        // Nobody can advance the time any more: what waits would keep itself alive through its line.
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

    /// Runs what is due until `time`, and stands at `time` afterwards. A time that has passed does nothing.
    public func advance(to time: Duration) {
        let end = min(time.nanoseconds, Self.end)
        while let entry = nextEntry(until: end) {
            entry.run()
        }
        line.state.withLock { $0.now = max($0.now, end) }
    }

    /// Lets `duration` pass.
    public func advance(by duration: Duration) {
        advance(to: now + duration.clamped)
    }

    /// Runs everything that is scheduled, also what is scheduled meanwhile, and stands at the time of the last action.
    ///
    /// Never returns while something is scheduled again and again; `advance(to:)` is for such.
    public func run() {
        while let entry = nextEntry(until: Self.end) {
            entry.run()
        }
    }

    private func nextEntry(until end: Int64) -> TimerEntry? {
        line.state.withLock { state in
            guard let entry = state.heap.removeFirst(dueAt: end) else { return nil }
            state.now = min(max(state.now, entry.deadline), Self.end)
            return entry
        }
    }
}
