public import Foundation
import Streams

extension URLChain where Input == Void {
    /// Takes an encodable value as the input. By default it is sent as JSON in the body, or in the query for GET, HEAD and DELETE.
    @_disfavoredOverload
    public func input<Body: Encodable & Sendable>(_ type: Body.Type) -> URLChain<Stage, Body> {
        URLChain<Stage, Body>(settings: settings) { body, _ in CodableBody(value: body) }
    }

    /// Takes a DTO as the input, sent in its raw form.
    public func input<DTO: RawEncodable>(_ type: DTO.Type) -> URLChain<Stage, DTO> where DTO.Raw: RequestBodyConvertible {
        URLChain<Stage, DTO>(settings: settings) { dto, log in try StepMap.toRaw.map(dto, log) }
    }

    /// Takes a model as the input, sent as its DTO.
    @_disfavoredOverload
    public func input<Model: DTOEncodable>(_ type: Model.Type) -> URLChain<Stage, Model> where Model.DTO: Encodable {
        URLChain<Stage, Model>(settings: settings) { model, log in CodableBody(value: try StepMap.toDTO.map(model, log)) }
    }

    /// Takes a model as the input, sent as its DTO, although the model is encodable itself.
    @_disfavoredOverload
    public func input<Model: DTOEncodable & Encodable>(_ type: Model.Type) -> URLChain<Stage, Model> where Model.DTO: Encodable {
        URLChain<Stage, Model>(settings: settings) { model, log in CodableBody(value: try StepMap.toDTO.map(model, log)) }
    }

    /// Takes a model as the input, sent as the raw form of its DTO.
    public func input<Model: DTOEncodable>(_ type: Model.Type) -> URLChain<Stage, Model>
    where Model.DTO: RawEncodable, Model.DTO.Raw: RequestBodyConvertible {
        URLChain<Stage, Model>(settings: settings) { model, log in try StepMap.toRaw.map(StepMap.toDTO.map(model, log), log) }
    }

    /// Takes a model as the input, sent as the raw form of its DTO, although the model has a raw form itself.
    public func input<Model: DTOEncodable & RawEncodable>(_ type: Model.Type) -> URLChain<Stage, Model>
    where Model.DTO: RawEncodable, Model.DTO.Raw: RequestBodyConvertible, Model.Raw: RequestBodyConvertible {
        URLChain<Stage, Model>(settings: settings) { model, log in try StepMap.toRaw.map(StepMap.toDTO.map(model, log), log) }
    }

    /// Takes a JSON value as the input.
    public func input(_ type: JSON.Type) -> URLChain<Stage, JSON> {
        URLChain<Stage, JSON>(settings: settings) { body, _ in body }
    }

    /// Takes raw data that encodes itself as the input.
    public func input<Body: RequestBodyConvertible>(_ type: Body.Type) -> URLChain<Stage, Body> {
        URLChain<Stage, Body>(settings: settings) { body, _ in body }
    }

    /// Takes raw bytes as the input.
    public func input(_ type: Data.Type) -> URLChain<Stage, Data> {
        URLChain<Stage, Data>(settings: settings) { body, _ in body }
    }

    /// Takes a form as the input: fields and files.
    public var multipart: URLChain<Stage, MultipartForm> {
        URLChain<Stage, MultipartForm>(settings: settings) { form, _ in form }
    }

    /// Sends a form made from the input.
    public func multipart<Model: Sendable>(
        _ type: Model.Type = Model.self, _ makeForm: @escaping @Sendable (Model) throws -> MultipartForm
    ) -> URLChain<Stage, Model> {
        let making = StepMap("multipart", makeForm)
        return URLChain<Stage, Model>(settings: settings) { model, log in try making.map(model, log) }
    }

    /// Sends a file, which is read while it is sent. The input is its URL.
    ///
    /// If the file cannot be read, the request fails with `TransportError.unreadableBody(path:reason:)` before anything is sent.
    public func upload(type: String = "application/octet-stream") -> URLChain<Stage, URL> {
        URLChain<Stage, URL>(settings: settings) { url, _ in FileBody(url: url, type: type) }
    }
}

/// A file as the body of a request.
private struct FileBody: RequestBodyConvertible {
    let url: URL
    let type: String

    func encoded(_ encoding: HTTPRequest.Encoding) throws -> HTTPRequest.EncodedBody {
        _ = try lengthOfRegularFile(url)
        return HTTPRequest.EncodedBody(body: .file(url), contentType: type)
    }
}
