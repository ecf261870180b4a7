internal import Bytes
public import Foundation
public import Streams

/// Raw data that is made of a complete response; the counterpart of ``RequestBodyConvertible``.
public protocol ResponseBodyConvertible: Sendable {
    /// Returns the raw data of a response; throws if the body does not have that form.
    static func decoded(from response: HTTPResponse) throws -> Self
}

extension JSON: ResponseBodyConvertible {
    /// Parses the body; a successful response without content is an empty object.
    public static func decoded(from response: HTTPResponse) throws -> JSON {
        response.hasNoContent ? .empty : try JSON(parsing: response.body)
    }
}

extension Data: ResponseBodyConvertible {
    /// Returns the bytes of the body.
    public static func decoded(from response: HTTPResponse) -> Data { response.body }
}

extension Step<HTTPResponse, JSON, HTTPResponse, JSON> {
    /// Replaces a successful response without content by an empty object.
    package static var replacingNoContent: Step {
        Step("parseJSON") { response, rest in response.hasNoContent ? .just(.empty) : rest(response) }
    }
}

extension StepMap<HTTPResponse, JSON> {
    /// Parses the body, which must not be empty.
    package static var parsingJSON: StepMap { StepMap("parseJSON") { try JSON(parsing: $0.body) } }
}

extension StepMap where Input == HTTPResponse, Output: ResponseBodyConvertible {
    /// Reads the raw data of a response.
    package static var reading: StepMap { StepMap("parseJSON") { try Output.decoded(from: $0) } }
}

extension StepMap where Input == HTTPResponse, Output: Decodable {
    /// Decodes the body directly.
    package static func decoding(_ decoder: JSONDecoder) -> StepMap {
        StepMap("decodeResponse") { response in
            guard response.hasNoContent else { return try response.body.decodeJSON(Output.self, using: decoder) }
            return try noContent { try decoder.decode(Output.self, from: $0.data()) }
        }
    }
}

extension StepMap where Input == HTTPResponse, Output: RawDecodable, Output.Raw: ResponseBodyConvertible {
    /// Reads a DTO through its raw form. A raw value that is decoded meanwhile uses `decoder`.
    package static func readingRaw(_ decoder: JSONDecoder) -> StepMap {
        let reading = StepMap<HTTPResponse, Output.Raw>.reading
        return StepMap(logging: "mapFromRaw") { response, log in
            let hasNoContent = response.hasNoContent && Output.Raw.self == JSON.self
            let raw = hasNoContent ? nil : try reading.map(response, log)
            return try log.notingFailure(as: "mapFromRaw") {
                try ChainDecoder.$current.withValue(decoder) {
                    if let raw { return try Output.from(raw: raw) }
                    return try noContent { try ($0 as? Output.Raw).map { try Output.from(raw: $0) } }
                }
            }
        }
    }
}

/// Returns the value of a response without content: the first of JSON's empty values that can be decoded.
private func noContent<Value>(_ decode: (JSON) throws -> Value?) throws -> Value {
    for stand in [JSON.null, .empty, .array([])] {
        if let value = try? decode(stand) { return value }
    }
    throw JSON.ModelFailure.undecodable(type: "\(Value.self)", path: "", reason: "the response is empty")
}

/// The decoder of a chain, while a DTO is read through its raw form.
enum ChainDecoder {
    @TaskLocal static var current: JSONDecoder?
}

extension ObservableType<HTTPResponse> {
    /// Emits the body of each response as JSON; a successful response without a body gives an empty object.
    public func parseJSON() -> Observable<JSON> {
        through(.reading)
    }

    /// Emits the body of each response as a DTO.
    public func decodeResponse<DTO: Decodable & Sendable>(
        as type: DTO.Type = DTO.self, using decoder: @escaping @Sendable () -> JSONDecoder = { .snakeCaseConverting }
    ) -> Observable<DTO> {
        through(.decoding(decoder()))
    }

    /// Emits the bytes of each response.
    public func bodies() -> Observable<Data> {
        map(\.body)
    }
}

extension HTTPResponse {
    /// Whether the response is successful and has no content.
    fileprivate var hasNoContent: Bool {
        status < 400 && (status == 204 || body.isEmpty || isNull)
    }

    private var isNull: Bool {
        body.withUnsafeBytes { $0.trimming { $0.isBlank || $0.isLineEnd }.elementsEqual("null".utf8) }
    }
}
