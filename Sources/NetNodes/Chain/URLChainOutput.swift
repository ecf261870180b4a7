public import Foundation
import Streams

extension URLChain where Stage == Routed {
    /// Decodes the response directly into a value.
    public func output<Output: Decodable & Sendable>(_ type: Output.Type) -> AnyNode<Input, Output> {
        build(before: ResponseDecoderNode<Output>(decoder: settings.makeDecoder), "ResponseDecoderNode")
    }

    /// Decodes the response into a model, through its DTO.
    public func output<Model: DTODecodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        buildModel()
    }

    /// Decodes the response into a model, through its DTO, although the model is decodable itself.
    public func output<Model: DTODecodable & Decodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        buildModel()
    }

    /// Parses the response as JSON; an empty object if there is no content.
    public func output(_ type: JSON.Type) -> AnyNode<Input, JSON> {
        let preprocessor = ChainNode("ResponseDataPreprocessorNode") { (next: any Node<HTTPResponse, JSON>) in
            ResponseDataPreprocessorNode(next: next)
        }
        return build([preprocessor], before: ResponseDataParserNode(), "ResponseDataParserNode")
    }

    /// Returns the bytes of the response.
    public var data: AnyNode<Input, Data> { build(before: DataLoadingResponseProcessorNode(), "DataLoadingResponseProcessorNode") }

    /// Emits one element if the request succeeded; the body is discarded.
    public var void: AnyNode<Input, Void> {
        let output = ChainNode("VoidOutputNode") { (next: any Node<HTTPResponse, HTTPResponse>) in VoidOutputNode(next: next) }
        let chain = settings.hasOwnErrors ? self : discardingBodies()
        return chain.build([output], before: AnyNode<HTTPResponse, HTTPResponse>.cold { .just($0) }, nil)
    }

    /// Returns the response as received, whatever its status.
    public var response: AnyNode<Input, HTTPResponse> {
        httpErrors { _ in nil }.build(before: AnyNode<HTTPResponse, HTTPResponse>.cold { .just($0) }, nil)
    }

    /// Emits server-sent events as they are received, over as many connections as necessary; see ``ServerSentEventsNode``.
    ///
    /// Timeouts apply to each connection; there are none by default.
    public func events(reconnection: Reconnection? = Reconnection()) -> AnyNode<Input, ServerSentEvent> {
        withoutIdleTimeout.buildRequest(
            ServerSentEventsNode(transport: settings.transport, reconnection: reconnection), "ServerSentEventsNode")
    }

    /// Emits the decoded data of server-sent events.
    public func events<Output: Decodable & Sendable>(
        _ type: Output.Type, reconnection: Reconnection? = Reconnection()
    ) -> AnyNode<Input, Output> {
        let events = events(reconnection: reconnection)
        return AnyNode.cold { [decoder = settings.makeDecoder()] input in
            events.stream(input).map { try Data($0.data.utf8).decodeJSON(type, using: decoder) }
        }
    }
}

extension URLChain where Stage == Routed, Input: DTOEncodable, Input.DTO: Encodable {
    /// Encodes the input as its DTO and decodes the response into a model, through its DTO.
    public func output<Model: DTODecodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        buildBothModels()
    }

    /// Encodes the input as its DTO and decodes the response into a model, through its DTO, although the model is decodable itself.
    public func output<Model: DTODecodable & Decodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        buildBothModels()
    }

    private func buildBothModels<Model: DTODecodable>() -> AnyNode<Input, Model> where Model.DTO: Decodable {
        let transfers = URLChain<Stage, Input.DTO>(settings: settings.inner, makeBody: { AnyRequestBody(CodableBody(value: $0)) })
        let model = ChainNode("ModelInputNode") { (next: any Node<Input.DTO, Model.DTO>) in ModelInputNode<Input, Model>(next: next) }
        let dto: AnyNode<Input.DTO, Model.DTO> = transfers.output(Model.DTO.self)
        let nodes = settings.outerNodes(Input.self, Model.self) + [model]
        return AnyNode(nodes.node(before: dto), names: nodes.flatMap(\.names) + [dto.description])
    }
}

/// Builds the chain from the list of nodes.
extension URLChain {
    private func buildModel<Model: DTODecodable>() -> AnyNode<Input, Model> where Model.DTO: Decodable {
        let output = ChainNode("ModelOutputNode") { (next: any Node<HTTPResponse, Model.DTO>) in
            ModelOutputNode<HTTPResponse, Model>(next: next)
        }
        return build([output], before: ResponseDecoderNode<Model.DTO>(decoder: settings.makeDecoder), "ResponseDecoderNode")
    }

    /// Builds from the input through the HTTP response to the output of `parsing` and `last`.
    func build<Output: Sendable>(_ parsing: [ChainNode] = [], before last: any Node, _ name: String?) -> AnyNode<Input, Output> {
        let request = settings.policyNodes(parsing, before: last, Output.self) + settings.requestNodes(Output.self)
        return assemble(request + settings.exchangeNodes(Output.self) + settings.statusNodes(Output.self) + parsing, last, name)
    }

    /// Builds from the input to the HTTP request that `last` sends.
    func buildRequest<Output: Sendable>(_ last: any Node<HTTPRequest, Output>, _ name: String?) -> AnyNode<Input, Output> {
        assemble(settings.requestNodes(Output.self), last, name)
    }

    private func assemble<Output: Sendable>(_ inner: [ChainNode], _ last: any Node, _ name: String?) -> AnyNode<Input, Output> {
        let nodes = settings.outerNodes(Input.self, Output.self) + inputNodes(Output.self) + inner
        return AnyNode(nodes.node(before: last), names: nodes.flatMap(\.names) + (name.map { [$0] } ?? []))
    }

    /// The nodes from the input to raw data.
    func inputNodes<Output: Sendable>(_ output: Output.Type) -> [ChainNode] {
        guard Input.self == Void.self else {
            return [
                ChainNode("RequestBodyNode") { [makeBody] (next: any Node<AnyRequestBody, Output>) in
                    RequestBodyNode(makeBody, next: next)
                }
            ]
        }
        let void = ChainNode("VoidInputNode") { (next: any Node<JSON, Output>) in VoidInputNode(next: next) }
        let raw = ChainNode([]) { (next: any Node<AnyRequestBody, Output>) in
            AnyNode<JSON, Output>.cold { json in next.stream(making: { AnyRequestBody(json) }) }
        }
        return [void, raw]
    }
}

extension URLChain: CustomStringConvertible {
    /// The names of the nodes in processing order; the description of a built chain also contains those that parse the response.
    public var description: String {
        var nodes = settings.outerNodes(Input.self, Void.self) + inputNodes(Void.self)
        let ignored = AnyNode<HTTPResponse, Void>.cold { _ in .empty() }
        nodes += settings.policyNodes([], before: ignored, Void.self) + settings.requestNodes(Void.self)
        nodes += settings.exchangeNodes(Void.self) + settings.statusNodes(Void.self)
        return nodes.flatMap(\.names).joined(separator: " > ")
    }
}
