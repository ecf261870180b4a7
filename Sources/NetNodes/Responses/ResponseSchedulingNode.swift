public import Streams

/// Hands on on a scheduler how a transfer went: what is made of the response, above all the decoding of a large body, holds up nobody else's
/// transfers then.
///
/// Operator: `observe(on:)`.
public struct ResponseSchedulingNode<Output: Sendable>: Node {
    private let scheduler: any Scheduler
    private let next: any Node<Result<HTTPResponse, any Error>, Output>

    public init(on scheduler: any Scheduler, next: any Node<Result<HTTPResponse, any Error>, Output>) {
        self.scheduler = scheduler
        self.next = next
    }

    public func stream(_ input: Result<HTTPResponse, any Error>) -> Observable<Output> {
        Observable.just(input, scheduler: scheduler).flatMap { [next] in next.stream($0) }
    }
}

extension URLChain {
    /// Judges and decodes whole responses on `scheduler` and delivers there, not on the thread that all transfers of the transport share. For bodies
    /// that take milliseconds to decode: a concurrent one, such as `ConcurrentDispatchQueueScheduler(qos: .userInitiated)`, decodes several at a time.
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
