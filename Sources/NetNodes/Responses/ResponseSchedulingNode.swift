public import Streams

/// Passes the result of a transfer on to a scheduler, so that processing the response, above all decoding a large body, does not block
/// other transfers.
///
/// Operator: `observe(on:)`.
public struct ResponseSchedulingNode<Output: Sendable>: Node {
    private let scheduler: any Scheduler
    private let next: any Node<Result<HTTPResponse, any Error>, Output>

    /// Creates a node that passes results to `next` on `scheduler`.
    public init(on scheduler: any Scheduler, next: any Node<Result<HTTPResponse, any Error>, Output>) {
        self.scheduler = scheduler
        self.next = next
    }

    public func stream(_ input: Result<HTTPResponse, any Error>) -> Observable<Output> {
        Observable.just(input, scheduler: scheduler).flatMap { [next] in next.stream($0) }
    }
}

extension URLChain {
    /// Processes and decodes responses on `scheduler` and delivers there, rather than on the thread that all transfers of the transport
    /// share. For bodies that take milliseconds to decode: a concurrent scheduler, such as `ConcurrentDispatchQueueScheduler(qos:
    /// .userInitiated)`, decodes several at a time.
    public func processing(on scheduler: any Scheduler) -> Self {
        inserting(ResponseSchedulingStep(scheduler: scheduler), after: .requestSender)
    }
}

private struct ResponseSchedulingStep: BodyIgnoringStep {
    let scheduler: any Scheduler
    let ignoresBody = true
    var name: String { "ResponseSchedulingNode" }

    func node<Output: Sendable>(
        before next: any Node<Result<HTTPResponse, any Error>, Output>
    ) -> any Node<Result<HTTPResponse, any Error>, Output> {
        ResponseSchedulingNode(on: scheduler, next: next)
    }
}
