import Foundation
public import Streams

/// Transforms each request before it is sent, for example signs it. If the closure throws, the stream fails and nothing is sent.
///
/// Operator: `map`.
public struct RequestAdapterNode<Output: Sendable>: Node {
    private let adapt: @Sendable (HTTPRequest) throws -> HTTPRequest
    private let next: any Node<HTTPRequest, Output>

    /// Creates a node that passes `adapt`'s request to `next`.
    public init(_ adapt: @escaping @Sendable (HTTPRequest) throws -> HTTPRequest, next: any Node<HTTPRequest, Output>) {
        self.adapt = adapt
        self.next = next
    }

    public func stream(_ input: HTTPRequest) -> Observable<Output> {
        next.stream(making: { [adapt] in try adapt(input) })
    }
}

/// Transforms each response before its status and its body are processed. If the closure throws, the stream fails.
///
/// Operator: `map`.
public struct ResponseAdapterNode<Output: Sendable>: Node {
    private let adapt: @Sendable (HTTPResponse) throws -> HTTPResponse
    private let next: any Node<HTTPResponse, Output>

    /// Creates a node that passes `adapt`'s response to `next`.
    public init(_ adapt: @escaping @Sendable (HTTPResponse) throws -> HTTPResponse, next: any Node<HTTPResponse, Output>) {
        self.adapt = adapt
        self.next = next
    }

    public func stream(_ input: HTTPResponse) -> Observable<Output> {
        next.stream(making: { [adapt] in try adapt(input) })
    }
}

/// Replaces the error of the rest of the chain.
///
/// Operator: `mapError`.
public struct ErrorMapperNode<Input: Sendable, Output: Sendable>: Node {
    private let translate: @Sendable (any Error) -> any Error
    private let next: any Node<Input, Output>

    /// Creates a node that fails with `translate`'s error where `next` fails.
    public init(_ translate: @escaping @Sendable (any Error) -> any Error, next: any Node<Input, Output>) {
        self.translate = translate
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).mapError(translate)
    }
}

/// The metrics of one request.
public struct RequestMetrics: Sendable, Equatable {
    /// The final URL, redacted.
    public let url: String
    /// The status of the response.
    public let status: Int
    /// Times and counts, as far as the transport provides them.
    public let transfer: TransferMetrics
}

extension URLChain {
    /// Transforms each request when its headers are complete, before it is sent; before steps inserted later.
    public func adaptingRequests(_ adapt: @escaping @Sendable (HTTPRequest) throws -> HTTPRequest) -> Self {
        inserting(RequestAdapterStep(adapt: adapt))
    }

    /// Transforms each response before its status and its body are processed; before steps inserted later.
    public func adaptingResponses(_ adapt: @escaping @Sendable (HTTPResponse) throws -> HTTPResponse) -> Self {
        inserting(ResponseAdapterStep(adapt: adapt), before: .responseHttpErrorProcessor)
    }

    /// Reports the metrics of each request that received a response: each attempt separately, whatever its status.
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

    /// Replaces an ``HTTPError`` whose body can be decoded by the server's own error. Inner nodes still receive the ``HTTPError``, so that
    /// access is refreshed and transient errors are retried.
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
