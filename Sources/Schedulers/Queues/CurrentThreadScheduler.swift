import Dispatch

/// Runs its actions on the calling thread, one after the other: an action scheduled by another action runs after it, not inside it.
///
/// The first `schedule` on a thread returns when its action, and everything that the action scheduled, has run. A delay blocks the thread
/// until it has passed or is cancelled from any thread. Recursion on this scheduler therefore does not grow the stack (law 5).
///
/// Source: [ReactiveX, Scheduler](https://reactivex.io/documentation/scheduler.html).
public struct CurrentThreadScheduler: Scheduler {
    /// The shared instance.
    public static let instance = CurrentThreadScheduler()

    /// The pending actions of one thread.
    private final class Trampoline {
        var heap = TimerHeap()

        func run() {
            while let entry = heap.first {
                (entry as? DelayedEntry)?.wait()
                _ = heap.remove(entry)
                entry.run()
            }
        }
    }

    /// A delayed action, for which its thread sleeps.
    private final class DelayedEntry: TimerEntry, @unchecked Sendable {
        private let isCancelled = DispatchSemaphore(value: 0)

        override func dispose() {
            super.dispose()
            isCancelled.signal()
        }

        func wait() {
            guard !isOver else { return }
            _ = isCancelled.wait(timeout: DispatchTimers.time(at: deadline))
        }
    }

    private static let thread = ThreadReference<Trampoline>()

    private init() {}

    public var now: Duration { .nanoseconds(DispatchTimers.systemNow) }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        run(TimerEntry(deadline: DispatchTimers.systemNow, action))
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        guard delay > .zero else { return schedule(action) }
        return run(DelayedEntry(deadline: delay.deadline(from: DispatchTimers.systemNow), action))
    }

    private func run(_ entry: TimerEntry) -> any Disposable {
        if let running = Self.thread.current {
            running.heap.insert(entry)
            return entry
        }
        let trampoline = Trampoline()
        trampoline.heap.insert(entry)
        Self.thread.with(trampoline) { trampoline.run() }
        return entry
    }
}
