import Dispatch
import Foundation

/// Runs its actions as operations of an `OperationQueue`; the events of one subscription stay serialized (law 2).
///
/// Delays are measured outside of the queue: an action becomes an operation when its delay has passed.
/// Source: [RxSwift, OperationQueueScheduler](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Schedulers.md).
public final class OperationQueueScheduler: Scheduler {
    /// The queue of the operations.
    public let operationQueue: OperationQueue
    /// The priority of the operations within the queue.
    public let queuePriority: Operation.QueuePriority
    private let timers = DispatchTimers(queue: DispatchQueue(label: "streams.timers"))

    /// Creates a scheduler on `operationQueue`.
    public init(operationQueue: OperationQueue, queuePriority: Operation.QueuePriority = .normal) {
        self.operationQueue = operationQueue
        self.queuePriority = queuePriority
    }

    public var now: Duration { .nanoseconds(DispatchTimers.now) }

    public func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        if let simulated = SimulatedSystem.current { return simulated.scheduler.schedule(action) }
        let item = ScheduledAction(action)
        enqueue(item)
        return item
    }

    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        if let simulated = SimulatedSystem.current { return simulated.scheduler.schedule(after: delay, action) }
        let item = ScheduledAction(action)
        return Disposables.create(timers.schedule(after: delay) { [self] in enqueue(item) }, item)
    }

    private func enqueue(_ item: ScheduledAction) {
        let operation = BlockOperation { item.run() }
        operation.queuePriority = queuePriority
        operationQueue.addOperation(operation)
    }
}
