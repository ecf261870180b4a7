public import Foundation

extension URLChain where Input == Void {
    /// Emits an encodable value, by default as JSON in the body, or in the query for GET, HEAD and DELETE.
    public func input<Body: Encodable & Sendable>(_ type: Body.Type) -> URLChain<Stage, Body> {
        URLChain<Stage, Body>(settings: settings) { AnyRequestBody(CodableBody(value: $0)) }
    }

    /// Emits a model as its DTO.
    public func input<Model: DTOEncodable>(_ type: Model.Type) -> URLChain<Stage, Model> where Model.DTO: Encodable {
        URLChain<Stage, Model>(settings: settings) { AnyRequestBody(CodableBody(value: try $0.toDTO())) }
    }

    /// Emits a model as its DTO, although the model is encodable itself.
    public func input<Model: DTOEncodable & Encodable>(_ type: Model.Type) -> URLChain<Stage, Model> where Model.DTO: Encodable {
        URLChain<Stage, Model>(settings: settings) { AnyRequestBody(CodableBody(value: try $0.toDTO())) }
    }

    /// Emits a JSON value.
    public func input(_ type: JSON.Type) -> URLChain<Stage, JSON> {
        URLChain<Stage, JSON>(settings: settings) { AnyRequestBody($0) }
    }

    /// Emits raw data that encodes itself.
    @_disfavoredOverload
    public func input<Body: RequestBodyConvertible>(_ type: Body.Type) -> URLChain<Stage, Body> {
        URLChain<Stage, Body>(settings: settings) { AnyRequestBody($0) }
    }

    /// Emits raw bytes.
    public func input(_ type: Data.Type) -> URLChain<Stage, Data> {
        URLChain<Stage, Data>(settings: settings) { AnyRequestBody($0) }
    }
}
