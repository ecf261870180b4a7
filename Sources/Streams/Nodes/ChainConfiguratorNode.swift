public import Dispatch

/// Starts the rest of a chain on one scheduler and delivers on another, for example on the main queue for a view.
///
/// Operators: `subscribe(on:)` and `observe(on:)`.
public struct ChainConfiguratorNode<Input: Sendable, Output: Sendable>: Node {
    private let starting: any Scheduler
    private let delivering: any Scheduler
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - starting: where the operation starts; by default the global queue of user-initiated work.
    ///   - delivering: where outputs and terminal events are delivered; by default the main queue.
    ///   - next: the rest of the chain.
    public init(
        startOn starting: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated),
        deliverOn delivering: any Scheduler = MainScheduler.instance,
        next: any Node<Input, Output>
    ) {
        self.starting = starting
        self.delivering = delivering
        self.next = next
    }

    /// Creates the node with Dispatch queues. Each subscription uses a concurrent queue serially.
    public init(startOn starting: DispatchQueue, deliverOn delivering: DispatchQueue = .main, next: any Node<Input, Output>) {
        self.init(
            startOn: ConcurrentDispatchQueueScheduler(queue: starting) as any Scheduler,
            deliverOn: delivering.isMain ? MainScheduler.instance : ConcurrentDispatchQueueScheduler(queue: delivering),
            next: next)
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).subscribe(on: starting).observe(on: delivering)
    }
}
