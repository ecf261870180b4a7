import Dispatch
import Foundation

/// Runs its actions on the calling thread, one after the other: what an action schedules runs after that action, not inside it.
///
/// The first `schedule` on a thread returns when everything that came of it has run; delays block the thread. So recursion on this
/// scheduler does not grow the stack (law 5). Source: [ReactiveX, Scheduler](https://reactivex.io/documentation/scheduler.html).
public struct CurrentThreadScheduler: Scheduler {
    /// The one instance there needs to be.
    public static let instance = CurrentThreadScheduler()

    /// The actions that wait on one thread.
    private final class Trampoline {
        var heap = TimerHeap()

        func run() {
            while let entry = heap.first {
                if !entry.isOver { ImmediateScheduler.block(for: entry.deadline - DispatchTimers.now) }
                _ = heap.remove(entry)
                entry.run()
            }
        }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private init() {}

    public var now: Duration { .nanoseconds(DispatchTimers.now) }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        schedule(after: .zero, action)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        let deadline = DispatchTimers.now.addingReportingOverflow(max(0, delay.nanoseconds))
        let entry = TimerEntry(deadline: deadline.overflow ? .max : deadline.partialValue, action)
        if let running = pthread_getspecific(Self.key) {
            Unmanaged<Trampoline>.fromOpaque(running).takeUnretainedValue().heap.insert(entry)
            return entry
        }
        let trampoline = Trampoline()
        trampoline.heap.insert(entry)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(trampoline).toOpaque())
        defer { pthread_setspecific(Self.key, nil) }
        trampoline.run()
        return entry
    }
}
