import Foundation

/// Why a transfer did not end with a response. A response with a bad status is not one of these.
///
/// URLs stand here without user, password and query values, so an error can be shown and logged.
public enum TransportError: Error, Equatable, Sendable {
    /// Which limit a transfer ran into.
    public enum TimeoutPhase: String, Sendable, Equatable {
        /// The connection did not stand in time.
        case connect
        /// The server gave no sign of life for too long.
        case idle
        /// The whole took too long.
        case total
    }

    /// The URL cannot be asked for. Nothing was sent.
    case invalidURL(String, reason: String)
    /// Only http and https are spoken here. Nothing was sent.
    case unsupportedScheme(String, url: String)
    /// The method is not one word. Nothing was sent.
    case invalidMethod(String)
    /// A header cannot be sent, such as one with a line break in it. Nothing was sent.
    case invalidHeader(name: String, reason: String)
    /// The file with the body cannot be read.
    case unreadableBody(path: String, reason: String)
    /// No address is known for the host.
    case cannotFindHost(String, url: String)
    /// Nobody accepts connections there.
    case cannotConnect(url: String, reason: String)
    /// There is no way to that network from here.
    case networkUnreachable(url: String)
    /// The proxy does not let the request through.
    case proxyFailed(url: String, reason: String)
    /// A limit of ``HTTPRequest/Timeouts`` has passed.
    case timedOut(TimeoutPhase, after: Duration, url: String)
    /// TLS could not be established, or the certificate is not to be trusted.
    case secureConnectionFailed(url: String, reason: String)
    /// The file with the certificate authorities cannot be read. Nothing was sent.
    case unreadableAuthorities(path: String, reason: String)
    /// The connection broke before the response was complete.
    case connectionLost(url: String, reason: String)
    /// The body is shorter than the server announced.
    case incompleteBody(url: String, received: Int64, reason: String)
    /// What came is not HTTP.
    case malformedResponse(url: String, reason: String)
    /// The body is longer than ``HTTPRequest/Limits/maximumBodySize``, in bytes.
    case bodyTooLarge(limit: Int, url: String)
    /// The transfer ended, and its transport had brought no response, or a part of one only.
    case noResponse
    /// More redirects in a row than the request allows.
    case tooManyRedirects(limit: Int, url: String)
    /// A redirect to where no request can go.
    case invalidRedirect(location: String, url: String)
    /// The transport was shut down, or anything that has no case of its own.
    case other(code: Int, reason: String, url: String)
}

extension TransportError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidURL(let url, let reason): "The URL \(url) cannot be asked for: \(reason)."
        case .unsupportedScheme(let scheme, let url): "\(url) cannot be asked for: only http and https are supported, not \(scheme)."
        case .invalidMethod(let method): "\"\(method)\" is not a method of HTTP."
        case .invalidHeader(let name, let reason): "The header \"\(name)\" cannot be sent: \(reason)."
        case .unreadableBody(let path, let reason): "The file \(path) cannot be sent: \(reason)."
        case .cannotFindHost(let host, let url): "The host \(host) could not be found (\(url))."
        case .cannotConnect(let url, let reason): "Could not connect to \(url): \(reason)."
        case .networkUnreachable(let url): "There is no network on which \(url) could be reached."
        case .proxyFailed(let url, let reason): "The proxy did not let the request to \(url) through: \(reason)."
        case .timedOut(let phase, let duration, let url): phase.sentence(duration, url)
        case .secureConnectionFailed(let url, let reason): "No secure connection to \(url): \(reason)."
        case .unreadableAuthorities(let path, let reason): "The certificate authorities in \(path) cannot be read: \(reason)."
        case .connectionLost(let url, let reason): "The connection to \(url) was lost: \(reason)."
        case .incompleteBody(let url, let received, let reason): "The response of \(url) broke off after \(received) bytes: \(reason)."
        case .malformedResponse(let url, let reason): "The response of \(url) is not valid HTTP: \(reason)."
        case .bodyTooLarge(let limit, let url): "The response of \(url) is longer than \(limit) bytes."
        case .noResponse: "The transfer ended without a response."
        case .tooManyRedirects(let limit, let url): "\(url) redirected more than \(limit) times in a row."
        case .invalidRedirect(let location, let url): "\(url) redirected to \(location), where no request can go."
        case .other(let code, let reason, let url): "The transfer from \(url) failed with code \(code): \(reason)."
        }
    }

    public var errorDescription: String? { description }
}

extension TransportError.TimeoutPhase {
    fileprivate func sentence(_ duration: Duration, _ url: String) -> String {
        switch self {
        case .connect: "No connection to \(url) within \(duration.forPeople)."
        case .idle: "\(url) fell silent for \(duration.forPeople)."
        case .total: "\(url) did not answer completely within \(duration.forPeople)."
        }
    }
}
