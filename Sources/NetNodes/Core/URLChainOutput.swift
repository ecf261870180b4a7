public import Foundation
import Streams

extension URLChain where Stage == Routed {
    /// The response decoded straight into a value.
    public func output<Output: Decodable & Sendable>(_ type: Output.Type) -> AnyNode<Input, Output> {
        build(ResponseDecoderNode<Output>(decoder: settings.makeDecoder))
    }

    /// The response as a model, made of its DTO.
    public func output<Model: DTODecodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        erased(ModelOutputNode(next: output(Model.DTO.self)))
    }

    /// The response as a model, made of its DTO, although it could be decoded itself.
    public func output<Model: DTODecodable & Decodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        erased(ModelOutputNode(next: output(Model.DTO.self)))
    }

    /// The response as a tree; an empty object where there is no content.
    public func output(_ type: JSON.Type) -> AnyNode<Input, JSON> { build(ResponseDataPreprocessorNode()) }

    /// The bytes of the response.
    public var data: AnyNode<Input, Data> { build(DataLoadingResponseProcessorNode()) }

    /// Whether the request succeeded; a body is ignored.
    public var void: AnyNode<Input, Void> { erased(VoidOutputNode(next: data)) }

    /// The response as it is, whatever its status.
    public var response: AnyNode<Input, HTTPResponse> { httpErrors { _ in nil }.build(AnyNode { .just($0) }) }

    /// The events that the server sends, as they come, over as many connections as it takes; see ``ServerSentEventsNode``.
    ///
    /// Limits of time hold for each connection; there is none unless the chain sets it.
    public func events(reconnection: Reconnection? = Reconnection()) -> AnyNode<Input, ServerSentEvent> {
        var chain = self
        chain.settings.timeouts = settings.timeouts ?? HTTPRequest.Timeouts(idle: nil)
        return chain.buildRequest(ServerSentEventsNode(transport: settings.transport, reconnection: reconnection))
    }

    /// The data of the events that the server sends, each decoded.
    public func events<Output: Decodable & Sendable>(
        _ type: Output.Type, reconnection: Reconnection? = Reconnection()
    ) -> AnyNode<Input, Output> {
        let events = events(reconnection: reconnection)
        return AnyNode { [makeDecoder = settings.makeDecoder] input in
            events.stream(input).map { try Data($0.data.utf8).decodeJSON(type, using: makeDecoder()) }
        }
    }
}

/// How the nodes follow one another.
extension URLChain {
    /// From the HTTP response to what `parser` makes of it.
    fileprivate func build<Output: Sendable>(_ parser: any Node<HTTPResponse, Output>) -> AnyNode<Input, Output> {
        let httpErrors = ResponseHttpErrorProcessorNode(makeError: settings.makeError, next: parser)
        return buildRequest(RequestSenderNode(transport: settings.transport, next: ResponseProcessorNode(next: httpErrors)))
    }

    /// From the input to the HTTP request that `sender` sends.
    fileprivate func buildRequest<Output: Sendable>(_ sender: any Node<HTTPRequest, Output>) -> AnyNode<Input, Output> {
        var request: any Node<HTTPRequest, Output> = TechnicalErrorMapperNode(next: sender)
        for step in settings.steps.reversed() { request = step.node(before: request) }
        var creator: any Node<HTTPRequest, Output> = RequestCreatorNode(
            providers: settings.providers, timeouts: settings.timeouts, redirects: settings.redirects, next: request)
        if let access = settings.access { creator = AccessSafeNode(refresher: access.refresher, on: access.statuses, next: creator) }
        let transformator = URLRequestTransformatorNode<AnyBody, Output>(method: settings.method, next: creator)
        var routed: any Node<RoutedRequest<AnyBody, any URLRouteProvider>, Output> = RequestEncoderNode(
            encoding: settings.encoding, next: transformator)
        for query in settings.queries.reversed() { routed = URLQueryInjectorNode(query: query, next: routed) }
        let router = RequestRouterNode(route: settings.route, next: routed)
        return around(MetadataConnectorNode(metadata: settings.metadata, next: router))
    }

    /// The input made into raw data, and what stands around the whole chain.
    private func around<Output: Sendable>(_ metadata: any Node<AnyBody, Output>) -> AnyNode<Input, Output> {
        var chain: any Node<Input, Output> = AnyNode { [makeBody] input in metadata.stream(making: { try makeBody(input) }) }
        if let indicator = settings.indicator { chain = LoadIndicatableNode(indicator: indicator, next: chain) }
        if let delivery = settings.delivery { chain = ChainConfiguratorNode(deliverOn: delivery, next: chain) }
        return erased(chain)
    }

    private func erased<Output: Sendable>(_ node: any Node<Input, Output>) -> AnyNode<Input, Output> {
        node as? AnyNode<Input, Output> ?? AnyNode { node.stream($0) }
    }
}

extension URLChain: CustomStringConvertible {
    /// The nodes in the order in which a request meets them.
    public var description: String {
        var names: [String] = []
        if settings.delivery != nil { names.append("ChainConfiguratorNode") }
        if settings.indicator != nil { names.append("LoadIndicatableNode") }
        names.append(Input.self == Void.self ? "VoidInputNode" : "ModelInputNode")
        names += ["MetadataConnectorNode", "RequestRouterNode"]
        names += settings.queries.map { _ in "URLQueryInjectorNode" }
        names += ["RequestEncoderNode", "URLRequestTransformatorNode"]
        if settings.access != nil { names.append("AccessSafeNode") }
        names.append("RequestCreatorNode")
        names += settings.steps.map(\.name)
        names += ["TechnicalErrorMapperNode", "RequestSenderNode", "ResponseProcessorNode", "ResponseHttpErrorProcessorNode"]
        return names.joined(separator: " > ")
    }
}
