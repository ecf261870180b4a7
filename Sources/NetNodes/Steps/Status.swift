public import Foundation
public import Streams

/// Fails with an ``HTTPError`` if the status of a response indicates a failure, before its body is processed.
///
/// Operator: ``Streams/ObservableType/mapHTTPErrors(_:)``.
public struct ResponseHttpErrorProcessorNode<Output: Sendable>: Node {
    private let makeError: @Sendable (HTTPResponse) -> (any Error)?
    private let next: any Node<HTTPResponse, Output>

    /// - Parameters:
    ///   - makeError: returns the error of a response, or `nil` if it is not an error; allows for custom errors.
    ///   - next: the node after it.
    public init(
        makeError: @escaping @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }, next: any Node<HTTPResponse, Output>
    ) {
        self.makeError = makeError
        self.next = next
    }

    public func stream(_ input: HTTPResponse) -> Observable<Output> {
        Observable.just(input).mapHTTPErrors(makeError).flatMap { [next] in next.stream($0) }
    }
}

extension HTTPMiddleware {
    static func checkingStatus(_ makeError: @escaping @Sendable (HTTPResponse) -> (any Error)?) -> HTTPMiddleware {
        HTTPMiddleware.cold("ResponseHttpErrorProcessorNode", .ignoresBody) { $1($0).mapHTTPErrors(makeError) }
    }
}

extension ObservableType<HTTPResponse> {
    /// Fails at the first response whose status indicates a failure.
    ///
    /// - Parameter makeError: returns the error of a response, or `nil` if it is not an error.
    public func mapHTTPErrors(
        _ makeError: @escaping @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }
    ) -> Observable<HTTPResponse> {
        let responses = asObservable()
        return .logging { log in
            responses.map { response in
                guard let error = makeError(response) else { return response }
                log.note(.warning, "ResponseHttpErrorProcessorNode", "\(redacted(response.url)) responded with \(response.status)")
                throw error
            }
        }
    }
}

extension ObservableType {
    /// Replaces an ``HTTPError`` by the server's own error, if its body can be decoded; other errors are forwarded.
    public func customError<Failure: Error & Decodable>(as type: Failure.Type) -> Observable<Element> {
        mapError { error in (error as? HTTPError)?.custom(type) ?? error }
    }
}

extension HTTPError {
    /// Returns the server's own error, if the body can be decoded.
    func custom<Failure: Error & Decodable>(_ type: Failure.Type) -> (any Error)? {
        try? failure.body.decodeJSON(type, using: .snakeCaseConverting)
    }
}

/// Fails with the transport's error, if there is one; otherwise passes the response on.
public struct ResponseProcessorNode<Output: Sendable>: Node {
    private let next: any Node<HTTPResponse, Output>

    /// Creates a node that passes a response to `next`, and fails where the transfer did.
    public init(next: any Node<HTTPResponse, Output>) {
        self.next = next
    }

    public func stream(_ input: Result<HTTPResponse, any Error>) -> Observable<Output> {
        switch input {
        case .success(let response): next.stream(response)
        case .failure(let error): .error(error)
        }
    }
}

/// Emits the bytes of a response as they are.
public struct DataLoadingResponseProcessorNode: Node {
    /// Creates a node that emits bodies as they are.
    public init() {}

    public func stream(_ input: HTTPResponse) -> Observable<Data> {
        .just(input.body)
    }
}

extension ObservableType<HTTPResponse> {
    /// Emits the bytes of each response.
    public func bodies() -> Observable<Data> {
        map(\.body)
    }
}
