public import Dispatch
public import NetNodes
public import Streams

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
        step = .after("observe") { $0.subscribe(on: starting).observe(on: delivering) }
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

/// Collects the messages of downstream nodes and passes them to a sink: one call per operation, also when it fails or is cancelled.
///
/// The messages belong to the scope of the subscription: one chain performs any number of concurrent operations, and each has its own log.
/// Operator: `logged(_:to:)`.
public struct LoggerNode<Input: Sendable, Output: Sendable>: StepNode {
    public let step: Step<Input, Output, Input, Output>
    public let next: any Node<Input, Output>

    /// - Parameters:
    ///   - filter: the messages that are kept.
    ///   - sink: called once per operation, on the thread on which the operation terminates.
    ///   - next: the nodes whose messages are collected.
    public init(
        filter: OperationLog.Filter = .from(.debug), sink: @escaping @Sendable (OperationLog) -> Void, next: any Node<Input, Output>
    ) {
        (step, self.next) = (.after("logged") { $0.logged(filter, to: sink) }, next)
    }
}

/// Counts on a `LoadIndicator` while an operation is in progress: from the subscription to its terminal event or disposal.
///
/// Operator: `trackActivity(_:)`.
public struct LoadIndicatableNode<Input: Sendable, Output: Sendable>: StepNode {
    public let step: Step<Input, Output, Input, Output>
    public let next: any Node<Input, Output>

    /// - Parameters:
    ///   - indicator: the counter.
    ///   - next: the operation.
    public init(indicator: LoadIndicator, next: any Node<Input, Output>) {
        (step, self.next) = (.after("trackActivity") { $0.trackActivity(indicator) }, next)
    }
}

/// Lets you abort an operation from outside at every stage, even before it starts. It then fails with `Aborter.OperationAborted`, which is
/// not retried.
///
/// Place this node outside of the nodes that repeat an operation: it then also ends the time between two attempts, and a wait for a
/// refresh. Operator: `abortable(by:)-(Aborter)`.
public struct AborterNode<Input: Sendable, Output: Sendable>: StepNode {
    public let step: Step<Input, Output, Input, Output>
    public let next: any Node<Input, Output>

    /// - Parameters:
    ///   - aborter: the handle that aborts the operation.
    ///   - next: the operation.
    public init(aborter: Aborter, next: any Node<Input, Output>) {
        (step, self.next) = (.after("abortable") { $0.abortable(by: aborter) }, next)
    }
}

/// Repeats an operation that was rejected because of its token, with a new token.
///
/// An operation that starts during a refresh waits for it. An operation that was rejected with an older token is repeated immediately. One
/// that was rejected with the current token starts one refresh for all, whose error is the error of all. A second rejection is forwarded.
/// Place this node upstream of the node that adds the token, so that a repeated operation is prepared anew. Operator:
/// `refreshing(with:when:)`.
public struct AccessSafeNode<Input: Sendable, Output: Sendable>: StepNode {
    public let step: Step<Input, Output, Input, Output>
    public let next: any Node<Input, Output>

    /// - Parameters:
    ///   - refresher: shared by all operations that use the token.
    ///   - isRefusal: whether an error means that the token was rejected.
    ///   - next: the operation.
    public init(
        refresher: TokenRefresherNode, when isRefusal: @escaping @Sendable (any Error) -> Bool, next: any Node<Input, Output>
    ) {
        (step, self.next) = (.refreshing(with: refresher, when: isRefusal), next)
    }
}

extension AccessSafeNode {
    /// Repeats a request that failed because its token was rejected.
    ///
    /// Place it before the request is created, so that a repeated request is built again with new headers from its providers.
    ///
    /// - Parameters:
    ///   - refresher: the refresher, which all chains that use the token share.
    ///   - statuses: the statuses of an `HTTPError` that trigger a refresh.
    ///   - next: the rest of the chain.
    public init(refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403], next: any Node<Input, Output>) {
        self.init(refresher: refresher, when: isRefusal(statuses), next: next)
    }
}
