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
        case CURLE_OPERATION_TIMEDOUT: self = .cannotConnect(url: url, reason: reason)
        default:
            self = .connectionFailure(
                code, message: message, reason: reason, systemError: systemError, host: endpoint.host, url: url)
        }
    }
}
