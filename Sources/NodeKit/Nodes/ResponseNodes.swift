public import Foundation
public import NetNodes
public import Streams

/// Fails with the transport's error, if there is one; otherwise passes the response on.
public struct ResponseProcessorNode<Output: Sendable>: StepNode {
    public let step = Step<Result<HTTPResponse, any Error>, Output, HTTPResponse, Output>.before(.checkingTransfer)
    public let next: any Node<HTTPResponse, Output>

    /// Creates a node that passes a response to `next`, and fails if the transfer failed.
    public init(next: any Node<HTTPResponse, Output>) {
        self.next = next
    }
}

/// Fails with an `HTTPError` if the status of a response indicates a failure, before its body is processed.
///
/// Operator: `mapHTTPErrors(_:)`.
public struct ResponseHttpErrorProcessorNode<Output: Sendable>: StepNode {
    public let step: Step<HTTPResponse, Output, HTTPResponse, Output>
    public let next: any Node<HTTPResponse, Output>

    /// - Parameters:
    ///   - makeError: returns the error of a response, or `nil` if it is not an error; allows for custom errors.
    ///   - next: the node after it.
    public init(
        makeError: @escaping @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }, next: any Node<HTTPResponse, Output>
    ) {
        (step, self.next) = (.before(.checkingStatus(makeError)), next)
    }
}

/// Replaces a successful response without content (204, an empty body or JSON's `null`) by an empty JSON object, without parsing it.
///
/// A response with a status of 400 or more is forwarded unchanged, so that a later ``ResponseHttpErrorProcessorNode`` can still fail.
public struct ResponseDataPreprocessorNode: StepNode {
    public let step = Step<HTTPResponse, JSON, HTTPResponse, JSON>.replacingNoContent
    public let next: any Node<HTTPResponse, JSON>

    /// Creates a node that passes to `next` only responses with a body to parse.
    public init(next: any Node<HTTPResponse, JSON> = ResponseDataParserNode()) {
        self.next = next
    }
}

/// Parses the body of a response: an object, an array or a scalar.
///
/// Fails with a `JSON.SyntaxError`. Operator: `parseJSON()`.
public struct ResponseDataParserNode: Node {
    /// Creates a node that parses bodies as JSON.
    public init() {}

    public func stream(_ input: HTTPResponse) -> Observable<JSON> {
        Observable.just(input).through(.parsingJSON)
    }
}

/// Decodes the body of a response directly into a DTO.
///
/// Without content, the DTO is decoded from `null`, `{}` or `[]`, if possible. Fails with a `JSON.ModelFailure` or a `JSON.SyntaxError`.
/// Operator: `decodeResponse(as:using:)`.
public struct ResponseDecoderNode<DTO: Decodable & Sendable>: Node {
    private let map: StepMap<HTTPResponse, DTO>

    /// - Parameter decoder: called once; its result decodes all responses, even concurrently.
    public init(decoder: @Sendable () -> JSONDecoder = { .snakeCaseConverting }) {
        map = .decoding(decoder())
    }

    public func stream(_ input: HTTPResponse) -> Observable<DTO> {
        Observable.just(input).through(map)
    }
}

/// Emits the bytes of a response unchanged.
public struct DataLoadingResponseProcessorNode: Node {
    /// Creates a node that emits bodies unchanged.
    public init() {}

    public func stream(_ input: HTTPResponse) -> Observable<Data> {
        .just(input.body)
    }
}
