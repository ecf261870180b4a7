import Foundation
public import Streams

extension StepMap<HTTPResponse, HTTPResponse> {
    /// Fails with the error that `makeError` returns for a response, if any.
    static func checkingStatus(_ makeError: @escaping @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }) -> StepMap {
        StepMap(logging: "ResponseHttpErrorProcessorNode") { response, log in
            guard let error = makeError(response) else { return response }
            log.note(.warning, "ResponseHttpErrorProcessorNode", "\(redacted(response.url)) responded with \(response.status)")
            throw error
        }
    }
}

extension StepMap<Result<HTTPResponse, any Error>, HTTPResponse> {
    /// Fails with the error of a transfer, which the sender has noted.
    static var checkingTransfer: StepMap { StepMap(logging: "ResponseProcessorNode") { result, _ in try result.get() } }
}

extension ObservableType<HTTPResponse> {
    /// Fails at the first response whose status indicates a failure.
    ///
    /// - Parameter makeError: returns the error of a response, or `nil` if it is not an error.
    public func mapHTTPErrors(
        _ makeError: @escaping @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }
    ) -> Observable<HTTPResponse> {
        through(.checkingStatus(makeError))
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
