import Foundation
public import Streams

/// Turns a response whose status tells of a failure into an ``HTTPError``, before anything looks at its body.
///
/// Operator: ``Streams/ObservableType/mapHTTPErrors(_:)``.
public struct ResponseHttpErrorProcessorNode<Output: Sendable>: Node {
    private let makeError: @Sendable (HTTPResponse) -> (any Error)?
    private let next: any Node<HTTPResponse, Output>

    /// - Parameter makeError: the error that a response stands for, or `nil` if it is none: here further cases can be known.
    public init(
        makeError: @escaping @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }, next: any Node<HTTPResponse, Output>
    ) {
        self.makeError = makeError
        self.next = next
    }

    public func stream(_ input: HTTPResponse) -> Observable<Output> {
        guard let error = makeError(input) else { return next.stream(input) }
        return Observable.error(error).noting(.warning, as: "ResponseHttpErrorProcessorNode") { _ in
            "\(redacted(input.url)) answered \(input.status)"
        }
    }
}

extension ObservableType<HTTPResponse> {
    /// Ends the stream at the first response whose status tells of a failure.
    ///
    /// - Parameter makeError: the error that a response stands for, or `nil` if it is none.
    public func mapHTTPErrors(
        _ makeError: @escaping @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }
    ) -> Observable<HTTPResponse> {
        map { response in
            if let error = makeError(response) { throw error }
            return response
        }
    }
}

extension ObservableType {
    /// Replaces an ``HTTPError`` by the server's own error, where its body is one; other errors pass.
    public func customError<Failure: Error & Decodable>(as type: Failure.Type) -> Observable<Element> {
        mapError { error in (error as? HTTPError)?.custom(type) ?? error }
    }
}

extension HTTPError {
    /// The server's own error, where the body is one.
    func custom<Failure: Error & Decodable>(_ type: Failure.Type) -> (any Error)? {
        try? failure.body.decodeJSON(type, using: JSONDecoder())
    }
}
