public import Dispatch

/// Starts the rest of a chain on one scheduler and delivers on another, for example on the main queue for a view.
///
/// A context of `process(_:)` calls its listeners there too, including those that are registered after the outcome. Operators:
/// `subscribe(on:)` and `observe(on:)`.
public struct ChainConfiguratorNode<Input: Sendable, Output: Sendable>: StepNode {
    public let step: Step<Input, Output, Input, Output>
    public let next: any Node<Input, Output>
    public let delivery: (any Scheduler)?

    /// - Parameters:
    ///   - starting: where the operation starts; by default the global queue of user-initiated work.
    ///   - delivering: where outputs and terminal events are delivered; by default the main queue.
    ///   - next: the rest of the chain.
    public init(
        startOn starting: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated),
        deliverOn delivering: any Scheduler = MainScheduler.instance,
        next: any Node<Input, Output>
    ) {
        step = .after("ChainConfiguratorNode") { $0.subscribe(on: starting).observe(on: delivering) }
        (self.next, delivery) = (next, delivering)
    }

    /// Creates the node with Dispatch queues. Each subscription uses a concurrent queue serially.
    public init(startOn starting: DispatchQueue, deliverOn delivering: DispatchQueue = .main, next: any Node<Input, Output>) {
        self.init(
            startOn: ConcurrentDispatchQueueScheduler(queue: starting) as any Scheduler,
            deliverOn: delivering.isMain ? MainScheduler.instance : ConcurrentDispatchQueueScheduler(queue: delivering),
            next: next)
    }
}
