public import Foundation

/// A failure of the connection, independent of the transport. Each case has a localized message.
public enum TechnicalError: Error, Equatable, Sendable {
    /// There is no connection to the Internet.
    case noInternetConnection(String)
    /// The mobile connection must not be used.
    case dataNotAllowed(String)
    /// A timeout of the request has passed.
    case timeout(String)
    /// The host refused the connection, or did not answer.
    case cantConnectToHost(String)
    /// The name of the host could not be resolved.
    case cantFindHost(String)
    /// The connection ended before the response did.
    case connectionLost(String)
    /// The secure connection could not be made, for example because the certificate is not valid.
    case secureConnectionFailed(String)
}

extension TechnicalError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .noInternetConnection(let text), .dataNotAllowed(let text), .timeout(let text), .cantConnectToHost(let text),
            .cantFindHost(let text), .connectionLost(let text), .secureConnectionFailed(let text):
            text
        }
    }

    public var errorDescription: String? { description }

    /// Creates the technical error that corresponds to a transport's error; returns `nil` for any other error.
    public init?(_ error: any Error) {
        switch error {
        case let error as TransportError: self.init(transport: error)
        case let error as POSIXError: self.init(system: error)
        default: self.init(urlLoading: error as NSError)
        }
    }

    private init?(transport error: TransportError) {
        let text = error.description
        switch error {
        case .networkUnreachable: self = .noInternetConnection(text)
        case .timedOut: self = .timeout(text)
        case .cannotConnect: self = .cantConnectToHost(text)
        case .cannotFindHost: self = .cantFindHost(text)
        case .connectionLost, .incompleteBody: self = .connectionLost(text)
        case .secureConnectionFailed: self = .secureConnectionFailed(text)
        default: return nil
        }
    }

    /// Creates the technical error for an error of `URLSession`, by its domain and codes: on Linux its error type is in a library that this
    /// module does not link.
    ///
    /// Source: [NSURLErrorDomain](https://developer.apple.com/documentation/foundation/1508628-url_loading_system_error_codes).
    private init?(urlLoading error: NSError) {
        guard error.domain == NSURLErrorDomain else { return nil }
        let text = error.localizedDescription
        switch error.code {
        case NSURLErrorNotConnectedToInternet: self = .noInternetConnection(text)
        case NSURLErrorDataNotAllowed: self = .dataNotAllowed(text)
        case NSURLErrorTimedOut: self = .timeout(text)
        case NSURLErrorCannotConnectToHost: self = .cantConnectToHost(text)
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: self = .cantFindHost(text)
        case NSURLErrorNetworkConnectionLost: self = .connectionLost(text)
        case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasBadDate,
            NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid:
            self = .secureConnectionFailed(text)
        default: return nil
        }
    }
}

extension TechnicalError {
    /// Creates the error of a socket or a remote file.
    private init?(system error: POSIXError) {
        let text = String(cString: strerror(error.code.rawValue))
        switch error.code {
        case .ENETUNREACH, .ENETDOWN: self = .noInternetConnection(text)
        case .ETIMEDOUT: self = .timeout(text)
        case .ECONNREFUSED, .EHOSTUNREACH, .EHOSTDOWN: self = .cantConnectToHost(text)
        case .ECONNRESET, .ECONNABORTED, .EPIPE: self = .connectionLost(text)
        default: return nil
        }
    }
}
