internal import CLibcurl
import Foundation

extension TransportError {
    /// Creates the error that corresponds to a failure of libcurl on a socket.
    ///
    /// - Parameters:
    ///   - message: libcurl's message.
    ///   - systemError: the `errno` of the last connect, or 0.
    init(_ code: CURLcode, message: String, systemError: Int32, endpoint: SocketEndpoint) {
        let url = endpoint.description
        let reason = normalizedMessage(message).escapedForDisplay
        switch code {
        case CURLE_URL_MALFORMAT: self = .invalidURL(url, reason: reason)
        case CURLE_COULDNT_RESOLVE_HOST: self = .cannotFindHost(endpoint.host, url: url)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self = .proxyFailed(url: url, reason: reason)
        case CURLE_COULDNT_CONNECT where message.contains("Unsupported proxy"): self = .proxyFailed(url: url, reason: reason)
        case CURLE_COULDNT_CONNECT: self = .connectFailure(url: url, reason: reason, systemError: systemError)
        case CURLE_RECV_ERROR where message.contains("CONNECT"): self = .proxyFailed(url: url, reason: reason)
        case CURLE_OPERATION_TIMEDOUT: self = .cannotConnect(url: url, reason: reason)
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR: self = .connectionLost(url: url, reason: reason)
        case CURLE_SSL_CACERT_BADFILE: self = .secureConnectionFailed(url: url, reason: reason)
        case _ where secureConnectionCodes.contains(code): self = .secureConnectionFailed(url: url, reason: reason)
        default: self = .other(code: Int(code.rawValue), reason: reason, url: url)
        }
    }
}
