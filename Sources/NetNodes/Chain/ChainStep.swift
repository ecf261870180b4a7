/// A step that can be inserted into a ``URLChain``: a node before the next one, for the same type of value.
///
/// ```swift
/// struct Signing: RequestStep {
///     func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
///         AnyNode { request in next.stream(signed(request)) }
///     }
/// }
/// chain.inserting(Signing(), after: .requestCreator)
/// ```
public protocol ChainStep<Value>: Sendable {
    /// The type of the values at the position of the step.
    associatedtype Value: Sendable

    /// Its name in `URLChain.description`; by default the name of the type.
    var name: String { get }

    /// Returns a node that performs the step before `next`.
    func node<Output: Sendable>(before next: any Node<Value, Output>) -> any Node<Value, Output>
}

extension ChainStep {
    public var name: String { "\(Self.self)" }
}

/// A step on the complete HTTP request: before it is sent, and after its response has been processed.
public protocol RequestStep: ChainStep where Value == HTTPRequest {}

/// A step on the response before it is processed.
public protocol ResponseStep: ChainStep where Value == HTTPResponse {}

/// A named position in a ``URLChain``: the input of its node, and the output that its node passes on.
///
/// The types ensure that only a step for the right type of value is inserted there.
public struct ChainStage<Input: Sendable, Output: Sendable>: Sendable {
    /// The name of the node at this position.
    public let name: String

    init(_ name: String) {
        self.name = name
    }
}

extension ChainStage where Input == AnyRequestBody, Output == RequestModel<AnyRequestBody> {
    /// ``MetadataConnectorNode``
    public static var metadataConnector: Self { Self("MetadataConnectorNode") }
}

extension ChainStage where Input == RequestModel<AnyRequestBody>, Output == RoutedRequest<AnyRequestBody, any URLRouteProvider> {
    /// ``RequestRouterNode``
    public static var requestRouter: Self { Self("RequestRouterNode") }
}

extension ChainStage
where Input == RoutedRequest<AnyRequestBody, any URLRouteProvider>, Output == RoutedRequest<AnyRequestBody, any URLRouteProvider> {
    /// ``URLQueryInjectorNode``, of which there are as many as the chain has queries.
    public static var urlQueryInjector: Self { Self("URLQueryInjectorNode") }
}

extension ChainStage
where Input == RoutedRequest<AnyRequestBody, any URLRouteProvider>, Output == EncodableRequest<AnyRequestBody, any URLRouteProvider> {
    /// ``RequestEncoderNode``
    public static var requestEncoder: Self { Self("RequestEncoderNode") }
}

extension ChainStage where Input == EncodableRequest<AnyRequestBody, any URLRouteProvider>, Output == HTTPRequest {
    /// ``URLRequestTransformatorNode``
    public static var urlRequestTransformator: Self { Self("URLRequestTransformatorNode") }
}

extension ChainStage where Input == HTTPRequest, Output == HTTPRequest {
    /// `AccessSafeNode`, or its position in a chain without one.
    public static var accessSafe: Self { Self("AccessSafeNode") }
    /// ``RequestCreatorNode``
    public static var requestCreator: Self { Self("RequestCreatorNode") }
    /// ``TechnicalErrorMapperNode``
    public static var technicalErrorMapper: Self { Self("TechnicalErrorMapperNode") }
}

extension ChainStage where Input == HTTPRequest, Output == Result<HTTPResponse, any Error> {
    /// ``RequestSenderNode``
    public static var requestSender: Self { Self("RequestSenderNode") }
}

extension ChainStage where Input == Result<HTTPResponse, any Error>, Output == HTTPResponse {
    /// ``ResponseProcessorNode``
    public static var responseProcessor: Self { Self("ResponseProcessorNode") }
}

extension ChainStage where Input == HTTPResponse, Output == HTTPResponse {
    /// ``ResponseHttpErrorProcessorNode``
    public static var responseHttpErrorProcessor: Self { Self("ResponseHttpErrorProcessorNode") }
}

/// A step that may ignore the bodies of responses.
protocol BodyIgnoringStep: ChainStep {
    var ignoresBody: Bool { get }
}

struct RetryStep: RequestStep {
    let policy: RetryPolicy
    let repeatsUnsafeMethods: Bool
    let scheduler: any Scheduler
    var name: String { "RetryNode" }

    func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
        RetryNode(policy: policy, repeatsUnsafeMethods: repeatsUnsafeMethods, scheduler: scheduler, next: next)
    }
}

struct AborterStep: RequestStep {
    let aborter: Aborter
    var name: String { "AborterNode" }

    func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
        AborterNode(aborter: aborter, next: next)
    }
}
