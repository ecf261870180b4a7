public import Foundation
public import Streams

extension URLChain where Stage == Routed {
    /// Decodes the response directly into a value.
    @_disfavoredOverload
    public func output<Output: Decodable & Sendable>(_ type: Output.Type) -> AnyNode<Input, Output> {
        let decoding = StepMap<HTTPResponse, Output>.decoding(settings.makeDecoder())
        return node(decoding.name) { $0.through(decoding) }
    }

    /// Reads the response as a DTO, through its raw form. A raw value that the DTO decodes uses the decoder of the chain.
    public func output<DTO: RawDecodable>(_ type: DTO.Type) -> AnyNode<Input, DTO> where DTO.Raw: ResponseBodyConvertible {
        let reading = StepMap<HTTPResponse, DTO>.readingRaw(settings.makeDecoder())
        return node(reading.name, "parseJSON") { $0.through(reading) }
    }

    /// Decodes the response into a model, through its DTO.
    @_disfavoredOverload
    public func output<Model: DTODecodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        model(.decoding(settings.makeDecoder()))
    }

    /// Decodes the response into a model, through its DTO, although the model is decodable itself.
    @_disfavoredOverload
    public func output<Model: DTODecodable & Decodable>(_ type: Model.Type) -> AnyNode<Input, Model> where Model.DTO: Decodable {
        model(.decoding(settings.makeDecoder()))
    }

    /// Reads the response as a model, through the raw form of its DTO.
    public func output<Model: DTODecodable>(_ type: Model.Type) -> AnyNode<Input, Model>
    where Model.DTO: RawDecodable, Model.DTO.Raw: ResponseBodyConvertible {
        model(.readingRaw(settings.makeDecoder()), "parseJSON")
    }

    /// Reads the response as a model, through the raw form of its DTO, although the model has a raw form itself.
    public func output<Model: DTODecodable & RawDecodable>(_ type: Model.Type) -> AnyNode<Input, Model>
    where Model.DTO: RawDecodable, Model.DTO.Raw: ResponseBodyConvertible, Model.Raw: ResponseBodyConvertible {
        model(.readingRaw(settings.makeDecoder()), "parseJSON")
    }

    private func model<Model: DTODecodable>(
        _ reading: StepMap<HTTPResponse, Model.DTO>, _ names: String...
    ) -> AnyNode<Input, Model> {
        node(["mapOutput", reading.name] + names) { $0.through(reading).through(.fromDTO) }
    }

    /// Parses the response as JSON; no content gives an empty object.
    public func output(_ type: JSON.Type) -> AnyNode<Input, JSON> {
        node("parseJSON") { $0.parseJSON() }
    }

    /// Emits the bytes of the response.
    public var data: AnyNode<Input, Data> { node("bodies") { $0.bodies() } }

    /// Emits one element if the request succeeded; the body is discarded.
    public var void: AnyNode<Input, Void> {
        let chain = settings.makeError == nil ? discardingBodies() : self
        return chain.node("voidOutput") { $0.voidOutput() }
    }

    /// Emits the response as received, whatever its status is, when access has been refreshed and the attempts of a retry have ended.
    public var response: AnyNode<Input, HTTPResponse> { httpErrors { _ in nil }.node { $0 } }
}

/// The construction of a node: the input is mapped to a request, the middlewares exchange the request for a response, and the response is
/// mapped to the output.
extension URLChain {
    /// Builds a node that emits the result of `makeOutput` for the response.
    private func node<Output: Sendable>(
        _ names: String..., makeOutput: @escaping @Sendable (Observable<HTTPResponse>) -> Observable<Output>
    ) -> AnyNode<Input, Output> { node(names, makeOutput: makeOutput) }

    private func node<Output: Sendable>(
        _ names: [String], makeOutput: @escaping @Sendable (Observable<HTTPResponse>) -> Observable<Output>
    ) -> AnyNode<Input, Output> {
        let middlewares = settings.middlewares
        let exchange = settings.exchange(through: middlewares)
        let outputs: @Sendable (Observable<HTTPResponse>) -> Observable<Output> = { [settings] in makeOutput(settings.judged($0)) }
        guard let cache = settings.cache, cache.policyName != nil else {
            return node(names, around: middlewares) { outputs(exchange($0)) }
        }
        let stored = settings.stored(in: cache)
        return node(names, around: middlewares) { request in
            cache.combining(stored: outputs(stored(request)), network: outputs(exchange(request)))
        }
    }

    /// Builds a node that emits the stream that `respond` returns for the request of an input.
    ///
    /// - Parameter middlewares: the middlewares that `respond` uses, for the description.
    func node<Output: Sendable>(
        _ names: [String], around middlewares: [HTTPMiddleware], _ respond: @escaping @Sendable (HTTPRequest) -> Observable<Output>
    ) -> AnyNode<Input, Output> {
        let names = settings.outerNames + names + middlewares.map(\.name) + ["send"]
        // The requests share one copy of the settings.
        let makeRequest: @Sendable (Input, OperationLog.Notes) throws -> HTTPRequest = { [settings, makeBody] input, log in
            try settings.request(sending: makeBody(input, log), log)
        }
        return .cold(names: names, delivery: settings.delivery) { [settings] input in
            settings.completed(.logging { log in respond(try makeRequest(input, log)) })
        }
    }
}

extension URLChain: CustomStringConvertible {
    /// The names of the steps, from the outermost to the innermost; the description of a built chain also contains the step that makes the
    /// output.
    public var description: String {
        (settings.outerNames + settings.middlewares.map(\.name) + ["send"]).joined(separator: " > ")
    }
}
