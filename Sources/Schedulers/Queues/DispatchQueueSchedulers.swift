import Dispatch

/// Runs its actions one at a time, in order, on a serial dispatch queue.
///
/// Source: [RxSwift, SerialDispatchQueueScheduler](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Schedulers.md).
public final class SerialDispatchQueueScheduler: RepeatingScheduler {
    private let queue: DispatchQueue
    private let timers: DispatchTimers

    /// Creates a scheduler on a queue of its own.
    public init(qos: DispatchQoS = .default, label: String = "streams.serial") {
        queue = DispatchQueue(label: label, qos: qos)
        timers = DispatchTimers(queue: queue)
    }

    /// Creates a scheduler on a serial queue that targets `queue`, so that the actions are serial even if `queue` is concurrent.
    public init(queue: DispatchQueue) {
        self.queue = DispatchQueue(label: "streams.serial", target: queue)
        timers = DispatchTimers(queue: self.queue)
    }

    public var now: Duration { .nanoseconds(DispatchTimers.now) }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        queue.run(action)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        timers.schedule(after: delay, action)
    }

    package func schedule(after delay: Duration, every period: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        timers.schedule(after: delay, every: period, action)
    }
}

/// Runs its actions on a concurrent dispatch queue; the events of one subscription stay serialized (law 2).
///
/// Source: [RxSwift, ConcurrentDispatchQueueScheduler](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Schedulers.md).
public final class ConcurrentDispatchQueueScheduler: RepeatingScheduler {
    private let queue: DispatchQueue
    private let timers: DispatchTimers

    /// Creates a scheduler on the global queue of `qos`.
    public convenience init(qos: DispatchQoS) {
        self.init(queue: .global(qos: qos.qosClass))
    }

    /// Creates a scheduler on `queue`.
    public init(queue: DispatchQueue) {
        self.queue = queue
        timers = DispatchTimers(queue: DispatchQueue(label: "streams.timers"), target: queue)
    }

    public var now: Duration { .nanoseconds(DispatchTimers.now) }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        queue.run(action)
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        timers.schedule(after: delay, action)
    }

    package func schedule(after delay: Duration, every period: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        timers.schedule(after: delay, every: period, action)
    }
}

extension DispatchQueue {
    /// The scheduler that a simulation, on its thread, runs in place of this queue.
    var standIn: (any Scheduler)? {
        SimulatedSystem.current.map { isMain ? $0.mainLoop : $0.scheduler }
    }

    /// Enqueues `action`. Disposing the result before the action starts prevents it from running.
    func run(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        if let standIn { return standIn.schedule(action) }
        let item = ScheduledAction(action)
        async { item.run() }
        return item
    }
}
