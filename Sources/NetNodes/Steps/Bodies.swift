public import Foundation
public import Streams

/// Replaces a successful response without content (204, an empty body or JSON's `null`) by an empty JSON object, without parsing it.
///
/// A response with a status of 400 or more is forwarded unchanged, so that a later ``ResponseHttpErrorProcessorNode`` can still fail.
public struct ResponseDataPreprocessorNode: Node {
    private let next: any Node<HTTPResponse, JSON>

    /// Creates a node that passes to `next` only responses with a body to parse.
    public init(next: any Node<HTTPResponse, JSON> = ResponseDataParserNode()) {
        self.next = next
    }

    public func stream(_ input: HTTPResponse) -> Observable<JSON> {
        input.hasNoContent ? .just(.empty) : next.stream(input)
    }
}

/// Parses the body of a response: an object, an array or a scalar.
///
/// Fails with a ``JSONError``. Operator: ``Streams/ObservableType/parseJSON()``.
public struct ResponseDataParserNode: Node {
    /// Creates a node that parses bodies as JSON.
    public init() {}

    public func stream(_ input: HTTPResponse) -> Observable<JSON> {
        Observable.just(input).mapNoting(as: "ResponseDataParserNode") { try JSON(parsing: $0.body) }
    }
}

/// Decodes the body of a response directly into a DTO.
///
/// Without content, the DTO is decoded from `null`, `{}` or `[]`, if possible. Fails with a ``ModelError`` or a ``JSONError``.
/// Operator: ``Streams/ObservableType/decodeResponse(as:using:)``.
public struct ResponseDecoderNode<DTO: Decodable & Sendable>: Node {
    private let decoder: JSONDecoder

    /// - Parameter decoder: called once; the result decodes all responses, also concurrently.
    public init(decoder: @Sendable () -> JSONDecoder = { .snakeCaseConverting }) {
        self.decoder = decoder()
    }

    public func stream(_ input: HTTPResponse) -> Observable<DTO> {
        Observable.just(input).decodeResponse(using: { [decoder] in decoder })
    }
}

extension ObservableType<HTTPResponse> {
    /// Emits the body of each response as JSON, an empty object if a successful response has none.
    public func parseJSON() -> Observable<JSON> {
        mapNoting(as: "ResponseDataParserNode") { $0.hasNoContent ? .empty : try JSON(parsing: $0.body) }
    }

    /// Emits the body of each response as a DTO.
    public func decodeResponse<DTO: Decodable & Sendable>(
        as type: DTO.Type = DTO.self, using decoder: @escaping @Sendable () -> JSONDecoder = { .snakeCaseConverting }
    ) -> Observable<DTO> {
        let decoder = decoder()
        return mapNoting(as: "ResponseDecoderNode") { try $0.decoded(DTO.self, using: decoder) }
    }
}

extension HTTPResponse {
    /// Whether it is a successful response without content.
    fileprivate var hasNoContent: Bool {
        status < 400 && (status == 204 || body.isEmpty || isNull)
    }

    private var isNull: Bool {
        let isSpace: (UInt8) -> Bool = { " \t\r\n".utf8.contains($0) }
        return body.drop(while: isSpace).starts(with: "null".utf8) && body.drop(while: isSpace).dropFirst(4).allSatisfy(isSpace)
    }

    fileprivate func decoded<DTO: Decodable>(_ type: DTO.Type, using decoder: JSONDecoder) throws -> DTO {
        guard hasNoContent else { return try body.decodeJSON(type, using: decoder) }
        for stand in ["null", "{}", "[]"] {
            if let value = try? decoder.decode(type, from: Data(stand.utf8)) { return value }
        }
        throw ModelError.undecodable(type: "\(type)", path: "", reason: "the response is empty")
    }
}
