public import Foundation
public import Streams

extension URLChain where Stage == Routed {
    /// Decodes the response directly into a value.
    public func output<Output: Decodable & Sendable>(_ type: Output.Type) -> AnyNode<Input, Output> {
        let decoder = settings.makeDecoder()
        return node("ResponseDecoderNode") { $0.decodeResponse(using: { decoder }) }
    }

    /// Decodes the response into a model, through its DTO.
    public func output<Model: DTODecodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        model()
    }

    /// Decodes the response into a model, through its DTO, although the model is decodable itself.
    public func output<Model: DTODecodable & Decodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        model()
    }

    private func model<Model: DTODecodable>() -> AnyNode<Input, Model> where Model.DTO: Decodable {
        let decoder = settings.makeDecoder()
        return node("ModelInputNode", "ResponseDecoderNode") { responses in
            responses.decodeResponse(as: Model.DTO.self, using: { decoder }).mapNoting(as: "ModelInputNode") { try Model.from(dto: $0) }
        }
    }

    /// Parses the response as JSON; an empty object if there is no content.
    public func output(_ type: JSON.Type) -> AnyNode<Input, JSON> {
        node("ResponseDataParserNode") { $0.parseJSON() }
    }

    /// Returns the bytes of the response.
    public var data: AnyNode<Input, Data> { node("DataLoadingResponseProcessorNode") { $0.bodies() } }

    /// Emits one element if the request succeeded; the body is discarded.
    public var void: AnyNode<Input, Void> {
        let chain = settings.hasOwnErrors ? self : discardingBodies()
        return chain.node("VoidOutputNode") { $0.ignoringBodies() }
    }

    /// Returns the response as received, whatever its status.
    public var response: AnyNode<Input, HTTPResponse> { httpErrors { _ in nil }.node { $0 } }
}

/// How a node is built: the input is mapped to a request, the middlewares exchange that for a response, which is mapped to the output.
extension URLChain {
    /// Builds a node that emits what `makeOutput` makes of the response.
    private func node<Output: Sendable>(
        _ names: String..., makeOutput: @escaping @Sendable (Observable<HTTPResponse>) -> Observable<Output>
    ) -> AnyNode<Input, Output> {
        let middlewares = settings.middlewares
        let exchange = settings.exchange(through: middlewares)
        guard let cache = settings.cache, cache.policyName != nil else {
            return node(names, around: middlewares) { makeOutput(exchange($0)) }
        }
        let stored = settings.stored(in: cache)
        return node(names, around: middlewares) { request in
            cache.combining(stored: makeOutput(stored(request)), network: makeOutput(exchange(request)))
        }
    }

    /// Builds a node that emits the stream that `respond` returns for the request of an input.
    ///
    /// - Parameter middlewares: those that `respond` uses, for the description.
    func node<Output: Sendable>(
        _ names: [String], around middlewares: [HTTPMiddleware], _ respond: @escaping @Sendable (HTTPRequest) -> Observable<Output>
    ) -> AnyNode<Input, Output> {
        let node = AnyNode<Input, Output>.cold { [settings, makeBody] input in
            settings.completed(
                .logging { log in
                    respond(try log.notingFailure(as: "URLRequestTransformatorNode") { try settings.request(sending: makeBody(input)) })
                })
        }
        return AnyNode(node, names: settings.outerNames + names + middlewares.map(\.name) + ["RequestSenderNode"])
    }
}

extension URLChain: CustomStringConvertible {
    /// The names of its steps, from the outermost to the innermost; the description of a built chain also contains what makes the output.
    public var description: String {
        (settings.outerNames + settings.middlewares.map(\.name) + ["RequestSenderNode"]).joined(separator: " > ")
    }
}
