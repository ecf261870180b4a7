import Dispatch
import Synchronization

/// Runs the actions of dispatch queues while Dispatch cannot have its descriptors: one after the other, on one thread, which needs none.
///
/// What must be run by Dispatch itself, such as an action of the main queue, is submitted when the descriptors are open.
final class DispatchFallback: Sendable {
    private struct State {
        var heap = TimerHeap()
        /// The actions without a delay that have not finished: a later one must not overtake them on the same queue.
        var unfinished = 0
        var submissions: [@Sendable () -> Void] = []
        var isSubmitting = false
        var isRunning = false
    }

    private final class Entry: TimerEntry, @unchecked Sendable {
        // Sound: immutable; Dispatch's own objects are thread-safe.
        let queue: DispatchQueue
        let isDelayed: Bool

        init(deadline: Int64, isDelayed: Bool, on queue: DispatchQueue, _ action: @escaping @Sendable () -> Void) {
            (self.queue, self.isDelayed) = (queue, isDelayed)
            super.init(deadline: deadline, action)
        }
    }

    static let shared = DispatchFallback()
    /// How often it looks whether the descriptors can be opened.
    private static let attemptInterval = Int64(50_000_000)
    private static let isOver = Atomic(false)

    private let state = Lock(State())
    private let changed = DispatchSemaphore(value: 0)

    /// Whether actions must be passed to `shared` rather than to Dispatch.
    static var isNeeded: Bool {
        #if os(Linux)
            !isOver.load(ordering: .acquiring) && !shared.end()
        #else
            false
        #endif
    }

    /// Runs `action` on `queue` after `delay`; `nil` means in order with the others without a delay.
    func schedule(after delay: Duration?, on queue: DispatchQueue, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        let deadline = (delay ?? .zero).deadline(from: DispatchTimers.now)
        let entry = Entry(deadline: deadline, isDelayed: delay != nil, on: queue, action)
        state.withLock { state in
            state.heap.insert(entry)
            if !entry.isDelayed { state.unfinished += 1 }
            startThread(&state)
        }
        return entry
    }

    /// Calls `submission`, which passes an action to Dispatch, when the descriptors are open.
    func submitLater(_ submission: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.submissions.append(submission)
            startThread(&state)
        }
    }

    /// Ends the fallback if nothing is unfinished and the descriptors can be opened; returns whether it has ended.
    private func end() -> Bool {
        // What is submitted meanwhile follows.
        while let submissions = beginSubmitting() {
            for submission in submissions { submission() }
            state.withLock { $0.isSubmitting = false }
        }
        return Self.isOver.load(ordering: .acquiring)
    }

    /// Returns what is to be submitted; `nil` if there is nothing, so that the fallback is over, or if it cannot be.
    private func beginSubmitting() -> [@Sendable () -> Void]? {
        state.withLock { state in
            guard !Self.isOver.load(ordering: .acquiring), !state.isSubmitting else { return nil }
            guard state.unfinished == 0, DispatchDescriptors.open() else { return nil }
            guard !state.submissions.isEmpty else {
                Self.isOver.store(true, ordering: .releasing)
                return nil
            }
            state.isSubmitting = true
            defer { state.submissions = [] }
            return state.submissions
        }
    }

    /// If there is no thread to be had, the next call tries again.
    private func startThread(_ state: inout State) {
        guard !state.isRunning else {
            changed.signal()
            return
        }
        state.isRunning = SystemThread.start(named: "streams.fallback") { [self] in work() } == 0
    }
}

/// The thread.
extension DispatchFallback {
    private enum Step {
        case run(Entry)
        case wait(until: Int64)
        case stop
    }

    private func work() {
        while true {
            switch nextStep() {
            case .run(let entry): run(entry)
            case .wait(let deadline): _ = changed.wait(timeout: DispatchTimers.time(at: deadline))
            case .stop: return
            }
        }
    }

    private func nextStep() -> Step {
        let now = DispatchTimers.now
        if let entry = state.withLock({ $0.heap.removeFirst(dueAt: now) as? Entry }) { return .run(entry) }
        _ = end()
        return state.withLock { state in
            guard state.heap.isEmpty, state.submissions.isEmpty else {
                return .wait(until: min(state.heap.first?.deadline ?? .max, now + Self.attemptInterval))
            }
            state.isRunning = false
            return .stop
        }
    }

    private func run(_ entry: Entry) {
        if Self.isOver.load(ordering: .acquiring) {
            entry.queue.async { entry.run() }
        } else if entry.queue.isMain {
            submitLater { entry.queue.async { entry.run() } }
        } else {
            // Runs on this thread, when the queue has nothing else to run.
            entry.queue.sync { entry.run() }
        }
        if !entry.isDelayed { state.withLock { $0.unfinished -= 1 } }
    }
}
