import Dispatch
import Streams

/// The serial queue of a server, on which all socket operations run. It propagates the counter of live objects.
struct ServerQueue: Sendable {
    let queue: DispatchQueue
    private let scheduler: SerialDispatchQueueScheduler
    private let key = DispatchSpecificKey<Void>()

    init() {
        queue = DispatchQueue(label: "LoopbackServer")
        scheduler = SerialDispatchQueueScheduler(queue: queue)
    }

    /// Marks the queue before its first use: to release a marked queue, Dispatch needs a thread.
    func prepare() {
        queue.setSpecific(key: key, value: ())
    }

    /// Whether the caller runs on the queue. A simulation runs everything one after the other, so its thread always does.
    var isCurrent: Bool { SimulatedSystem.current != nil || DispatchQueue.getSpecific(key: key) != nil }

    /// The time of the timers.
    var now: Duration { scheduler.now }

    /// Runs the work synchronously if the caller is on the queue, asynchronously otherwise.
    func run(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { queue.async(execute: Resources.bindingCounter(work)) }
    }

    /// Runs the work after the work that is running now.
    func runLater(_ work: @escaping @Sendable () -> Void) {
        _ = scheduler.schedule(Resources.bindingCounter(work))
    }

    /// Runs the work and waits for it.
    func runAndWait<Result: Sendable>(_ work: @Sendable () throws -> Result) rethrows -> Result {
        if isCurrent { try work() } else { try queue.sync(execute: work) }
    }

    /// Runs the work once after `delay`, unless the timer is disposed earlier.
    func timer(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
        scheduler.schedule(after: delay, work)
    }
}

/// Delivers values from any thread to the server's queue in order; synchronously when called there.
final class ServerDrainQueue<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var queued: [Value] = []
        var isDraining = false
    }

    private let queue: ServerQueue
    private let receive: @Sendable (Value) -> Void
    private let state = Lock(State())

    init(queue: ServerQueue, receive: @escaping @Sendable (Value) -> Void) {
        self.queue = queue
        self.receive = receive
    }

    func enqueue(_ value: Value) {
        let mustDrain = state.withLock { state in
            state.queued.append(value)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        guard mustDrain else { return }
        queue.run { self.drain() }
    }

    private func drain() {
        while let batch = takeAll() {
            for value in batch { receive(value) }
        }
    }

    private func takeAll() -> [Value]? {
        state.withLock { state in
            state.isDraining = !state.queued.isEmpty
            guard state.isDraining else { return nil }
            defer { state.queued = [] }
            return state.queued
        }
    }
}
