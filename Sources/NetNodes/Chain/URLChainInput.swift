public import Foundation

extension URLChain where Input == Void {
    /// Takes an encodable value as the input, sent by default as JSON in the body, or in the query for GET, HEAD and DELETE.
    public func input<Body: Encodable & Sendable>(_ type: Body.Type) -> URLChain<Stage, Body> {
        URLChain<Stage, Body>(settings: settings) { CodableBody(value: $0) }
    }

    /// Takes a model as the input, sent as its DTO.
    public func input<Model: DTOEncodable>(_ type: Model.Type) -> URLChain<Stage, Model> where Model.DTO: Encodable {
        URLChain<Stage, Model>(settings: settings) { CodableBody(value: try $0.toDTO()) }
    }

    /// Takes a model as the input, sent as its DTO, although the model is encodable itself.
    public func input<Model: DTOEncodable & Encodable>(_ type: Model.Type) -> URLChain<Stage, Model> where Model.DTO: Encodable {
        URLChain<Stage, Model>(settings: settings) { CodableBody(value: try $0.toDTO()) }
    }

    /// Takes a JSON value as the input.
    public func input(_ type: JSON.Type) -> URLChain<Stage, JSON> {
        URLChain<Stage, JSON>(settings: settings) { $0 }
    }

    /// Takes raw data that encodes itself as the input.
    @_disfavoredOverload
    public func input<Body: RequestBodyConvertible>(_ type: Body.Type) -> URLChain<Stage, Body> {
        URLChain<Stage, Body>(settings: settings) { $0 }
    }

    /// Takes raw bytes as the input.
    public func input(_ type: Data.Type) -> URLChain<Stage, Data> {
        URLChain<Stage, Data>(settings: settings) { $0 }
    }
}
