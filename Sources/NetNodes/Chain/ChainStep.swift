/// Something that can be put into a ``URLChain``: a node in front of the next one, for the same kind of value.
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
    /// What passes where the step stands.
    associatedtype Value: Sendable

    /// What `URLChain.description` calls it: the name of the type unless told otherwise.
    var name: String { get }

    /// The step as a node in front of the next one.
    func node<Output: Sendable>(before next: any Node<Value, Output>) -> any Node<Value, Output>
}

extension ChainStep {
    public var name: String { "\(Self.self)" }
}

/// A step where the HTTP request stands ready: before it is sent, and with the last word on what comes back.
public protocol RequestStep: ChainStep where Value == HTTPRequest {}

/// A step where the response has come and nobody has looked at it.
public protocol ResponseStep: ChainStep where Value == HTTPResponse {}

/// A named place in a ``URLChain``: what comes to its node, and what its node hands on.
///
/// The types see to it that only a step for the right kind of value goes in there.
public struct ChainStage<Input: Sendable, Output: Sendable>: Sendable {
    /// The name of the node that stands there.
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
    /// ``AccessSafeNode``, or its place where the chain has none.
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

/// A step that may leave the bodies of responses alone.
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
