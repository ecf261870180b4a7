import Foundation
public import Streams

/// Changes each request before it goes on: signs it, say. What the closure throws ends the stream, and nothing is sent.
///
/// Operator: `map`.
public struct RequestAdapterNode<Output: Sendable>: Node {
    private let adapt: @Sendable (HTTPRequest) throws -> HTTPRequest
    private let next: any Node<HTTPRequest, Output>

    public init(_ adapt: @escaping @Sendable (HTTPRequest) throws -> HTTPRequest, next: any Node<HTTPRequest, Output>) {
        self.adapt = adapt
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        next.stream(making: { [adapt] in try adapt(input) })
    }
}

/// Changes each response before anybody looks at its status or its body. What the closure throws ends the stream.
///
/// Operator: `map`.
public struct ResponseAdapterNode<Output: Sendable>: Node {
    private let adapt: @Sendable (HTTPResponse) throws -> HTTPResponse
    private let next: any Node<HTTPResponse, Output>

    public init(_ adapt: @escaping @Sendable (HTTPResponse) throws -> HTTPResponse, next: any Node<HTTPResponse, Output>) {
        self.adapt = adapt
        self.next = next
    }

    public func stream(_ input: HTTPResponse) -> Observable<Output> {
        next.stream(making: { [adapt] in try adapt(input) })
    }
}

/// Replaces the error that leaves the rest of the chain.
///
/// Operator: `mapError`.
public struct ErrorMapperNode<Input: Sendable, Output: Sendable>: Node {
    private let translate: @Sendable (any Error) -> any Error
    private let next: any Node<Input, Output>

    public init(_ translate: @escaping @Sendable (any Error) -> any Error, next: any Node<Input, Output>) {
        self.translate = translate
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).mapError(translate)
    }
}

/// How one request went.
public struct RequestMetrics: Sendable, Equatable {
    /// The URL that answered, without secrets.
    public let url: String
    /// The status of the response.
    public let status: Int
    /// Times and counts, as far as the transport tells.
    public let transfer: TransferMetrics
}

extension URLChain {
    /// Changes each request when its headers are complete, before it is sent; in front of what was put in later.
    public func adaptingRequests(_ adapt: @escaping @Sendable (HTTPRequest) throws -> HTTPRequest) -> Self {
        inserting(RequestAdapterStep(adapt: adapt))
    }

    /// Changes each response before anybody looks at its status or its body; in front of what was put in later.
    public func adaptingResponses(_ adapt: @escaping @Sendable (HTTPResponse) throws -> HTTPResponse) -> Self {
        inserting(ResponseAdapterStep(adapt: adapt), before: .responseHttpErrorProcessor)
    }

    /// Tells how each request went that got a response: each attempt by itself, whatever its status.
    ///
    /// - Parameter report: called on the transport's thread, which it must not block.
    public func metrics(_ report: @escaping @Sendable (RequestMetrics) -> Void) -> Self {
        let step = ResponseAdapterStep(ignoresBody: true) { response in
            if let metrics = response.metrics {
                report(RequestMetrics(url: redacted(response.url), status: response.status, transfer: metrics))
            }
            return response
        }
        return inserting(step, before: .responseHttpErrorProcessor)
    }

    /// Puts the server's own error in place of an ``HTTPError`` whose body is one. The nodes inside still see the ``HTTPError``: access is
    /// refreshed, and what is worth it is sent again.
    public func customError<Failure: Error & Decodable>(as type: Failure.Type) -> Self {
        changing { $0.translations.append { error in (error as? HTTPError)?.custom(type) ?? error } }
    }
}

private struct RequestAdapterStep: RequestStep {
    let adapt: @Sendable (HTTPRequest) throws -> HTTPRequest
    var name: String { "RequestAdapterNode" }

    func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
        RequestAdapterNode(adapt, next: next)
    }
}

private struct ResponseAdapterStep: ResponseStep, BodyIgnoringStep {
    var ignoresBody = false
    let adapt: @Sendable (HTTPResponse) throws -> HTTPResponse
    var name: String { "ResponseAdapterNode" }

    func node<Output: Sendable>(before next: any Node<HTTPResponse, Output>) -> any Node<HTTPResponse, Output> {
        ResponseAdapterNode(adapt, next: next)
    }
}
