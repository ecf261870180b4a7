public import SocketNodes
public import Streams

/// Errors that quote a request or a response omit the quotation in logs, because it could be a secret.
extension HTTPError: RedactedError {
    public var redactedDescription: String { "\(failure.url) responded with \(status)" }
}

extension JSON.SyntaxError: RedactedError {
    public var redactedDescription: String { "the body is not JSON (line \(line), column \(column))" }
}

extension JSON.ModelFailure: RedactedError {
    public var redactedDescription: String {
        switch self {
        case .undecodable(let type, let path, _): "the body does not match \(type) at \(path.isEmpty ? "top level" : path)"
        case .unencodable(let type, let path, _): "\(type) cannot be encoded at \(path.isEmpty ? "top level" : path)"
        }
    }
}

extension TransportError: RedactedError {}
extension TechnicalError: RedactedError {}
extension HTTPRequest.RouteFailure: RedactedError {}
extension HTTPRequest.EncodingFailure: RedactedError {}
extension ServerSentEvent.Failure: RedactedError {}
