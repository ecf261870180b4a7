public import Foundation
import Streams

extension URLChain where Stage == Routed {
    /// The response decoded straight into a value.
    public func output<Output: Decodable & Sendable>(_ type: Output.Type) -> AnyNode<Input, Output> {
        build(ResponseDecoderNode<Output>(decoder: settings.makeDecoder))
    }

    /// The response as a model, made of its DTO.
    public func output<Model: DTODecodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        build(ModelOutputNode(next: ResponseDecoderNode<Model.DTO>(decoder: settings.makeDecoder)))
    }

    /// The response as a model, made of its DTO, although it could be decoded itself.
    public func output<Model: DTODecodable & Decodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        build(ModelOutputNode(next: ResponseDecoderNode<Model.DTO>(decoder: settings.makeDecoder)))
    }

    /// The response as a tree; an empty object where there is no content.
    public func output(_ type: JSON.Type) -> AnyNode<Input, JSON> { build(ResponseDataPreprocessorNode()) }

    /// The bytes of the response.
    public var data: AnyNode<Input, Data> { build(DataLoadingResponseProcessorNode()) }

    /// Whether the request succeeded; a body is discarded as it comes.
    public var void: AnyNode<Input, Void> {
        (settings.hasOwnErrors ? self : discardingBodies()).build(
            VoidOutputNode(next: AnyNode { (response: HTTPResponse) in .just(response) }))
    }

    /// The response as it is, whatever its status.
    public var response: AnyNode<Input, HTTPResponse> { httpErrors { _ in nil }.build(AnyNode { .just($0) }) }

    /// The events that the server sends, as they come, over as many connections as it takes; see ``ServerSentEventsNode``.
    ///
    /// Limits of time hold for each connection; there is none unless the chain sets it.
    public func events(reconnection: Reconnection? = Reconnection()) -> AnyNode<Input, ServerSentEvent> {
        unhurried.buildRequest(ServerSentEventsNode(transport: settings.transport, reconnection: reconnection))
    }

    /// The data of the events that the server sends, each decoded.
    public func events<Output: Decodable & Sendable>(
        _ type: Output.Type, reconnection: Reconnection? = Reconnection()
    ) -> AnyNode<Input, Output> {
        let events = events(reconnection: reconnection)
        return AnyNode { [decoder = settings.makeDecoder()] input in
            events.stream(input).map { try Data($0.data.utf8).decodeJSON(type, using: decoder) }
        }
    }
}

/// How the nodes follow one another.
extension URLChain {
    /// From the HTTP response to what `parser` makes of it.
    func build<Output: Sendable>(_ parser: any Node<HTTPResponse, Output>) -> AnyNode<Input, Output> {
        let response = settings.responsePart(parser)
        guard let cache = settings.cache else { return buildRequest(settings.sender(response)) }
        let whole = cache.storing(settings.sender(AnyNode { Observable.just($0) }))
        let network = AnyNode<HTTPRequest, Output> { request in whole.stream(request).concatMap { response.stream($0) } }
        let reader = URLCacheReaderNode(cache: cache.cache, varying: cache.varying, next: response)
        var storedSettings = settings
        storedSettings.access = nil
        return around(cache.combining(stored: storedSettings.assembled(around: reader), network: settings.assembled(around: network)))
    }

    /// From the input to the HTTP request that `sender` sends.
    func buildRequest<Output: Sendable>(_ sender: any Node<HTTPRequest, Output>) -> AnyNode<Input, Output> {
        around(settings.assembled(around: sender))
    }

    /// The input made into raw data, and what stands around the whole chain.
    private func around<Output: Sendable>(_ raw: any Node<AnyRequestBody, Output>) -> AnyNode<Input, Output> {
        var chain: any Node<Input, Output> = AnyNode.cold { [makeBody] input in raw.stream(making: { try makeBody(input) }) }
        for translation in settings.translations {
            chain = AnyNode.cold { [chain] input in chain.stream(input).mapError(translation) }
        }
        if let indicator = settings.indicator { chain = LoadIndicatableNode(indicator: indicator, next: chain) }
        if let log = settings.log { chain = LoggerNode(filter: log.filter, sink: log.sink, next: chain) }
        if let delivery = settings.delivery { chain = ChainConfiguratorNode(deliverOn: delivery, next: chain) }
        return chain as? AnyNode<Input, Output> ?? AnyNode.cold { [chain] in chain.stream($0) }
    }
}
