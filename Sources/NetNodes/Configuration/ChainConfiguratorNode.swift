public import Dispatch
public import Streams

/// Starts the rest of the chain on one scheduler and delivers on another: a chain for a view, which neither blocks its caller nor calls
/// back anywhere but on the main loop.
///
/// Operators: `subscribe(on:)` and `observe(on:)`.
public struct ChainConfiguratorNode<Input: Sendable, Output: Sendable>: Node {
    private let starting: any Scheduler
    private let delivering: any Scheduler
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - starting: where the request is prepared; the global user-initiated queue unless told.
    ///   - delivering: where outputs and the end arrive; the main loop unless told.
    public init(
        startOn starting: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated),
        deliverOn delivering: any Scheduler = MainScheduler.instance,
        next: any Node<Input, Output>
    ) {
        self.starting = starting
        self.delivering = delivering
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).subscribe(on: starting).observe(on: delivering)
    }
}
