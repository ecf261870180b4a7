public import Foundation
import Streams

extension URLChain where Stage == Routed {
    /// The response decoded straight into a value.
    public func output<Output: Decodable & Sendable>(_ type: Output.Type) -> AnyNode<Input, Output> {
        build(before: ResponseDecoderNode<Output>(decoder: settings.makeDecoder), "ResponseDecoderNode")
    }

    /// The response as a model, made of its DTO.
    public func output<Model: DTODecodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        buildModel()
    }

    /// The response as a model, made of its DTO, although it could be decoded itself.
    public func output<Model: DTODecodable & Decodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        buildModel()
    }

    /// The response as a tree; an empty object where there is no content.
    public func output(_ type: JSON.Type) -> AnyNode<Input, JSON> {
        let preprocessor = ChainNode("ResponseDataPreprocessorNode") { (next: any Node<HTTPResponse, JSON>) in
            ResponseDataPreprocessorNode(next: next)
        }
        return build([preprocessor], before: ResponseDataParserNode(), "ResponseDataParserNode")
    }

    /// The bytes of the response.
    public var data: AnyNode<Input, Data> { build(before: DataLoadingResponseProcessorNode(), "DataLoadingResponseProcessorNode") }

    /// Whether the request succeeded; a body is discarded as it comes.
    public var void: AnyNode<Input, Void> {
        let output = ChainNode("VoidOutputNode") { (next: any Node<HTTPResponse, HTTPResponse>) in VoidOutputNode(next: next) }
        let chain = settings.hasOwnErrors ? self : discardingBodies()
        return chain.build([output], before: AnyNode<HTTPResponse, HTTPResponse>.cold { .just($0) }, nil)
    }

    /// The response as it is, whatever its status.
    public var response: AnyNode<Input, HTTPResponse> {
        httpErrors { _ in nil }.build(before: AnyNode<HTTPResponse, HTTPResponse>.cold { .just($0) }, nil)
    }

    /// The events that the server sends, as they come, over as many connections as it takes; see ``ServerSentEventsNode``.
    ///
    /// Limits of time hold for each connection; there is none unless the chain sets it.
    public func events(reconnection: Reconnection? = Reconnection()) -> AnyNode<Input, ServerSentEvent> {
        unhurried.buildRequest(ServerSentEventsNode(transport: settings.transport, reconnection: reconnection), "ServerSentEventsNode")
    }

    /// The data of the events that the server sends, each decoded.
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
    /// The input as its DTO, and the response as a model, made of its DTO.
    public func output<Model: DTODecodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        buildBothModels()
    }

    /// The input as its DTO, and the response as a model, made of its DTO, although it could be decoded itself.
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

/// The list of nodes, made into the chain.
extension URLChain {
    private func buildModel<Model: DTODecodable>() -> AnyNode<Input, Model> where Model.DTO: Decodable {
        let output = ChainNode("ModelOutputNode") { (next: any Node<HTTPResponse, Model.DTO>) in
            ModelOutputNode<HTTPResponse, Model>(next: next)
        }
        return build([output], before: ResponseDecoderNode<Model.DTO>(decoder: settings.makeDecoder), "ResponseDecoderNode")
    }

    /// From the input over the HTTP response to what `parsing` and `last` make of it.
    func build<Output: Sendable>(_ parsing: [ChainNode] = [], before last: any Node, _ name: String?) -> AnyNode<Input, Output> {
        let request = settings.policyNodes(parsing, before: last, Output.self) + settings.requestNodes(Output.self)
        return assemble(request + settings.exchangeNodes(Output.self) + settings.judgingNodes(Output.self) + parsing, last, name)
    }

    /// From the input to the HTTP request that `last` sends.
    func buildRequest<Output: Sendable>(_ last: any Node<HTTPRequest, Output>, _ name: String?) -> AnyNode<Input, Output> {
        assemble(settings.requestNodes(Output.self), last, name)
    }

    private func assemble<Output: Sendable>(_ inner: [ChainNode], _ last: any Node, _ name: String?) -> AnyNode<Input, Output> {
        let nodes = settings.outerNodes(Input.self, Output.self) + inputNodes(Output.self) + inner
        return AnyNode(nodes.node(before: last), names: nodes.flatMap(\.names) + (name.map { [$0] } ?? []))
    }

    /// From the input to raw data.
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
    /// The nodes in the order in which a request meets them; a built chain's description has those that parse the response too.
    public var description: String {
        var nodes = settings.outerNodes(Input.self, Void.self) + inputNodes(Void.self)
        let ignored = AnyNode<HTTPResponse, Void>.cold { _ in .empty() }
        nodes += settings.policyNodes([], before: ignored, Void.self) + settings.requestNodes(Void.self)
        nodes += settings.exchangeNodes(Void.self) + settings.judgingNodes(Void.self)
        return nodes.flatMap(\.names).joined(separator: " > ")
    }
}
