import Foundation

/// The reason why a transfer failed. A response with an unsuccessful status is no transport error.
///
/// URLs are redacted: without user, password and query values, so that you can display and log an error.
public enum TransportError: Error, Equatable, Sendable {
    /// The timeout that expired.
    public enum TimeoutPhase: String, Sendable, Equatable {
        /// The connection was not established in time.
        case connect
        /// The server sent nothing for too long.
        case idle
        /// The transfer took too long in total.
        case total
    }

    /// The URL is invalid. Nothing was sent.
    case invalidURL(String, reason: String)
    /// Only http and https are supported. Nothing was sent.
    case unsupportedScheme(String, url: String)
    /// The method is not a token. Nothing was sent.
    case invalidMethod(String)
    /// A header is invalid, for example because it contains a line break. Nothing was sent.
    case invalidHeader(name: String, reason: String)
    /// The file with the body cannot be read.
    case unreadableBody(path: String, reason: String)
    /// The stream of the body failed, or produced another number of bytes than was announced.
    case bodyFailed(url: String, reason: String)
    /// The host's name cannot be resolved.
    case cannotFindHost(String, url: String)
    /// The connection was refused or failed.
    case cannotConnect(url: String, reason: String)
    /// The network is unreachable.
    case networkUnreachable(url: String)
    /// The proxy rejected the request.
    case proxyFailed(url: String, reason: String)
    /// A timeout of ``SocketConnection/Timeouts`` has expired.
    case timedOut(TimeoutPhase, after: Duration, url: String)
    /// TLS could not be established, or the certificate is not trusted.
    case secureConnectionFailed(url: String, reason: String)
    /// The file with the certificate authorities cannot be read. Nothing was sent.
    case unreadableAuthorities(path: String, reason: String)
    /// The connection was lost before the response was complete. The server may have received the request. If the request must not be sent
    /// twice, the reason says so, and it was not.
    case connectionLost(url: String, reason: String)
    /// The body is shorter than announced.
    case incompleteBody(url: String, received: Int64, reason: String)
    /// The response is not valid HTTP.
    case malformedResponse(url: String, reason: String)
    /// The body of the response is encoded in a way that was not asked for, or its encoding is damaged.
    case undecodableBody(url: String, reason: String)
    /// The body exceeds `HTTPRequest.Limits.maximumBodySize`, in bytes.
    case bodyTooLarge(limit: Int, url: String)
    /// The transfer completed without a complete response.
    case noResponse
    /// More consecutive redirects than the request allows.
    case tooManyRedirects(limit: Int, url: String)
    /// The location of a redirect is not a valid URL.
    case invalidRedirect(location: String, url: String)
    /// The transport was shut down, or there was a failure without a case of its own.
    case other(code: Int, reason: String, url: String)
}

extension TransportError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidURL(let url, let reason): "The URL \(url) is not valid: \(reason)."
        case .unsupportedScheme(let scheme, let url): "\(url) is not supported: only http and https are supported, not \(scheme)."
        case .invalidMethod(let method): "\"\(method)\" is not a method of HTTP."
        case .invalidHeader(let name, let reason): "The header \"\(name)\" cannot be sent: \(reason)."
        case .unreadableBody(let path, let reason): "The file \(path) cannot be sent: \(reason)."
        case .bodyFailed(let url, let reason): "The body of the request to \(url) cannot be sent: \(reason)."
        case .cannotFindHost(let host, let url): "The host \(host) could not be found (\(url))."
        case .cannotConnect(let url, let reason): "Could not connect to \(url): \(reason)."
        case .networkUnreachable(let url): "The network of \(url) is unreachable."
        case .proxyFailed(let url, let reason): "The proxy rejected the request to \(url): \(reason)."
        case .timedOut(let phase, let duration, let url): phase.sentence(duration, url)
        case .secureConnectionFailed(let url, let reason): "No secure connection to \(url): \(reason)."
        case .unreadableAuthorities(let path, let reason): "The certificate authorities in \(path) cannot be read: \(reason)."
        case .connectionLost(let url, let reason): "The connection to \(url) was lost: \(reason)."
        case .incompleteBody(let url, let received, let reason): "The response of \(url) ended after \(received) bytes: \(reason)."
        case .malformedResponse(let url, let reason): "The response of \(url) is not valid HTTP: \(reason)."
        case .undecodableBody(let url, let reason): "The body of \(url) cannot be decoded: \(reason)."
        case .bodyTooLarge(let limit, let url): "The response of \(url) is longer than \(limit) bytes."
        case .noResponse: "The transfer ended without a response."
        case .tooManyRedirects(let limit, let url): "\(url) redirected more than \(limit) times in a row."
        case .invalidRedirect(let location, let url): "\(url) redirected to \(location), which is not an HTTP URL."
        case .other(let code, let reason, let url): "The transfer from \(url) failed with code \(code): \(reason)."
        }
    }

    public var errorDescription: String? { description }
}

extension TransportError.TimeoutPhase {
    fileprivate func sentence(_ duration: Duration, _ url: String) -> String {
        switch self {
        case .connect: "No connection to \(url) within \(duration.displayText)."
        case .idle: "\(url) sent nothing for \(duration.displayText)."
        case .total: "\(url) did not respond completely within \(duration.displayText)."
        }
    }
}
