public import Dispatch
public import NetNodes
public import Streams

/// Retries a failed request if it may be repeated.
///
/// Operators: `retry(_:scheduler:)`, which repeats everything upstream, and `through(.retrying(), to:)`, which considers the method.
public struct RetryNode<Output: Sendable>: StepNode {
    public let step: Step<HTTPRequest, Output, HTTPRequest, Output>
    public let next: any Node<HTTPRequest, Output>

    /// - Parameters:
    ///   - policy: decides which errors are retried, how often, and with which delays.
    ///   - repeatsUnsafeMethods: whether methods that are not idempotent, such as POST, are retried too.
    ///   - scheduler: runs the delays.
    ///   - next: sends the request.
    public init(
        policy: RetryPolicy = .transient(), repeatsUnsafeMethods: Bool = false,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated), next: any Node<HTTPRequest, Output>
    ) {
        (step, self.next) = (.retrying(policy, repeatsUnsafeMethods: repeatsUnsafeMethods, scheduler: scheduler), next)
    }
}

/// Maps the errors of any transport to `TechnicalError`; any other error is forwarded.
///
/// Operator: `mapTechnicalErrors()`.
public struct TechnicalErrorMapperNode<Input: Sendable, Output: Sendable>: StepNode {
    public let step = Step<Input, Output, Input, Output>.mappingTechnicalErrors
    public let next: any Node<Input, Output>

    /// Creates a node that maps the errors with which `next` fails.
    public init(next: any Node<Input, Output>) {
        self.next = next
    }
}

/// Sends the request and passes its result on. It logs the request and the response.
///
/// Operator: `send(on:max:)`.
public struct RequestSenderNode<Output: Sendable>: StepNode {
    public let step: Step<HTTPRequest, Output, Result<HTTPResponse, any Error>, Output>
    public let next: any Node<Result<HTTPResponse, any Error>, Output>

    /// - Parameters:
    ///   - transport: the transport that performs the transfers.
    ///   - discardsBodies: whether the bodies of successful responses are discarded; see `discardsBody` of the request.
    ///   - next: the node after it.
    public init(transport: any Transport, discardsBodies: Bool = false, next: any Node<Result<HTTPResponse, any Error>, Output>) {
        (step, self.next) = (.sending(on: transport, discardsBodies: discardsBodies), next)
    }
}
