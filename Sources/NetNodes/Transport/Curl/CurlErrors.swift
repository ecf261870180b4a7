internal import CLibcurl
import Foundation

extension TransportError {
    /// Creates the error that corresponds to a failure of libcurl.
    ///
    /// - Parameters:
    ///   - message: libcurl's message.
    ///   - systemError: the `errno` of the last connect, or 0.
    init(_ code: CURLcode, message: String, systemError: Int32, transfer: CurlTransfer) {
        let request = transfer.request
        let url = redacted(request.url)
        let reason = normalizedMessage(message)
        switch code {
        case _ where message.contains("chunked-encod"): self = .malformedResponse(url: url, reason: reason)
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut(.connect, after: request.timeouts.connect ?? transfer.age, url: url)
        case CURLE_PARTIAL_FILE where transfer.hasHead: self = .incompleteBody(url: url, received: transfer.received, reason: reason)
        case CURLE_READ_ERROR, CURLE_ABORTED_BY_CALLBACK:
            self = .unreadableBody(path: request.body.path, reason: "it could not be read to its end")
        case _ where headerExcesses.contains(where: message.contains), CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE:
            self = .malformedResponse(url: url, reason: "a header is too long")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            self = .malformedResponse(url: url, reason: reason)
        case CURLE_SSL_CACERT_BADFILE:
            self = .unreadableAuthorities(
                path: transfer.engine.configuration.tls.certificateAuthorities.map { "\($0)" } ?? "", reason: "it holds no certificate")
        default:
            let systemError = systemError == 0 ? transfer.socketError : systemError
            let failure = TransportError.connectionFailure(
                code, message: message, reason: reason, systemError: systemError, host: request.url.plainHost ?? "", url: url)
            guard case .connectionLost(_, let reason) = failure else {
                self = failure
                return
            }
            // Before the request is sent, only the response of a proxy to CONNECT is read.
            let isProxys = code == CURLE_RECV_ERROR && !transfer.isSent
            self = isProxys ? .proxyFailed(url: url, reason: reason) : transfer.connectionLost(reason)
        }
    }
}

/// The messages of libcurl for a head beyond its own limits; the second one comes from HTTP/2.
private let headerExcesses = ["Too large response headers", "user callback function failed"]

extension HTTPRequest.Body {
    fileprivate var path: String {
        inPieces.compactMap { piece in if case .file(let url) = piece { url.path } else { nil } }.joined(separator: ", ")
    }
}
