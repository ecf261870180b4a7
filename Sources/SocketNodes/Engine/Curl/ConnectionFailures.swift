package import CLibcurl
import Foundation
internal import HTTPMessages
import Schedulers
internal import Sockets

extension TransportError {
    /// Returns the error of a failure outside of HTTP: of the address, the proxy, the connection or TLS.
    ///
    /// - Parameters:
    ///   - message: libcurl's message.
    ///   - reason: the message as it is shown.
    ///   - systemError: the `errno` of the last connect, or 0.
    package static func connectionFailure(
        _ code: CURLcode, message: String, reason: String, systemError: Int32, host: String, url: String
    ) -> TransportError {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidURL(url, reason: reason)
        case _ where lookupCodes.contains(code) && !SystemNetwork.hasRoute: .networkUnreachable(url: url)
        case CURLE_COULDNT_RESOLVE_HOST: .cannotFindHost(host, url: url)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxyFailed(url: url, reason: reason)
        case CURLE_COULDNT_CONNECT where message.contains("Unsupported proxy"): .proxyFailed(url: url, reason: reason)
        case CURLE_INTERFACE_FAILED: .cannotConnect(url: url, reason: "the system does not have the local address")
        case CURLE_COULDNT_CONNECT: connectFailure(url: url, message: message, reason: reason, systemError: systemError)
        case CURLE_RECV_ERROR where message.contains("CONNECT"): .proxyFailed(url: url, reason: reason)
        // From TLS 1.3 on, a server that rejects the client's certificate reports that after the handshake.
        case _ where lossCodes.contains(code) && message.contains(" alert "): .secureConnectionFailed(url: url, reason: reason)
        case _ where lossCodes.contains(code): .connectionLost(url: url, reason: reason)
        // A connection that ends in the handshake tells nothing about certificates: the next attempt may succeed.
        case CURLE_SSL_CONNECT_ERROR where handshakeLosses.contains(where: message.contains): .connectionLost(url: url, reason: reason)
        case _ where secureConnectionCodes.contains(code): .secureConnectionFailed(url: url, reason: reason)
        default: .other(code: Int(code.rawValue), reason: reason, url: url)
        }
    }

    private static func connectFailure(url: String, message: String, reason: String, systemError: Int32) -> TransportError {
        let reason =
            switch systemError {
            // libcurl's general sentence repeats the beginning of this one.
            case 0: reason.hasSuffix("connect to server") ? "no address accepts a connection" : reason
            default: String(cString: strerror(systemError))
            }
        if let proxy = proxy(in: message, for: url) {
            return .cannotConnect(url: url, reason: "no connection to the proxy \(proxy) (\(reason))")
        }
        return [ENETUNREACH, ENETDOWN].contains(systemError) ? .networkUnreachable(url: url) : .cannotConnect(url: url, reason: reason)
    }

    /// Returns host and port of the proxy that did not accept a connection, from "Failed to connect to HOST port PORT".
    ///
    /// Only the port is compared with that of the URL: libcurl writes a host otherwise than a URL may.
    private static func proxy(in message: String, for url: String) -> String? {
        let words = message.split(separator: " ")
        guard message.hasPrefix("Failed to connect to "), words.count > 6, words[5] == "port", let port = Int(words[6]) else { return nil }
        guard let url = URL(string: url), port != url.effectivePort else { return nil }
        return "\(bracketed(String(words[4]))):\(port)"
    }
}

/// The messages of libcurl for a handshake during which the connection was closed, with OpenSSL and its derivatives.
private let handshakeLosses = [
    "SSL_connect: SSL_ERROR_SYSCALL", "unexpected eof while reading", "Connection reset by peer", "Send failure: Broken pipe",
]

extension TransportError {
    /// Whether the server closed the connection before a byte of its response.
    package var isEmptyResponse: Bool {
        if case .connectionLost(_, let reason) = self { reason.hasPrefix(emptyResponse) } else { false }
    }
}

private let emptyResponse = "it was closed without a response"
/// The reason of an encoded body that is damaged, or ends too early.
package let damagedBody = "it is damaged"

private let lookupCodes = [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY]

private let lossCodes = [
    CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND,
]

private let secureConnectionCodes = [
    CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
    CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CACERT_BADFILE,
    CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
]

/// Returns libcurl's message of a failure in a wording that is uniform for all its versions; unknown messages are returned as they are,
/// truncated and without control characters.
///
/// The messages contain hosts and ports, but no path, header or query. They quote the names in a server's certificate.
package func normalizedMessage(_ message: String) -> String {
    var text = message.hasSuffix(".") ? String(message.dropLast()) : message
    for failure in ["Recv failure: ", "Send failure: ", "SSL certificate problem: "] where text.hasPrefix(failure) {
        text.removeFirst(failure.count)
    }
    let refusal = text.number(after: "CONNECT tunnel failed, response ") ?? text.number(after: "Received HTTP code ", before: " from proxy")
    if let refusal { return "it responded with \(refusal)" }
    if let rest = text.number(after: "transfer closed with ", before: " bytes remaining to read") { return "\(rest) bytes are missing" }
    let lowercased = text.lowercased()
    return knownMessages.first { lowercased.contains($0.part) }?.normalized ?? text.escapedForDisplay
}

extension String {
    /// Returns the digits between two texts; `nil` if there are none.
    fileprivate func number(after prefix: String, before suffix: String = "") -> Substring? {
        guard let start = range(of: prefix)?.upperBound else { return nil }
        let digits = self[start...].prefix { $0.isASCII && $0.isNumber }
        return digits.isEmpty || !self[digits.endIndex...].hasPrefix(suffix) ? nil : digits
    }
}

private let knownMessages = [
    (part: "outstanding read data remaining", normalized: "it is truncated"),
    (part: "Empty reply from server", normalized: emptyResponse),
    (part: "chunk", normalized: "a chunk size is not a number"),
    (part: "HTTP/0.9", normalized: "it does not begin with a status line"),
    (part: "Unsupported HTTP version", normalized: "it does not begin with a status line"),
    (part: "Unsupported response code", normalized: "it does not begin with a status line"),
    // libcurl quotes the complete proxy here, with its password.
    (part: "Unsupported proxy scheme", normalized: "the proxy is of an unsupported kind"),
    (part: "Unsupported proxy syntax", normalized: "the proxy is not valid"),
    (part: "Proxy CONNECT aborted", normalized: "it closed the connection"),
    (part: "CONNECT response too large", normalized: "its response is too long"),
    (part: "Unsupported HTTP/1 subversion", normalized: "it does not begin with a status line"),
    (part: "Invalid Content-Length", normalized: "the Content-Length is not a number"),
    (part: "Header without colon", normalized: "a line of the header has no colon"),
    (part: "content unencoding", normalized: damagedBody),
    (part: "Unrecognized content encoding", normalized: "it is encoded in an unknown way"),
    (part: "no alternative certificate subject name", normalized: "the certificate is for another host"),
    (part: "SSL_connect: SSL_ERROR_SYSCALL", normalized: "it was closed during the TLS handshake"),
    (part: "TLS connect error: error:0A000126", normalized: "it was closed during the TLS handshake"),
    (part: "alert certificate required", normalized: "the server requires a certificate of the client"),
    (part: "alert unknown ca", normalized: "the server rejected the client's certificate"),
    (part: "alert bad certificate", normalized: "the server rejected the client's certificate"),
    (part: "alert certificate", normalized: "the server rejected the client's certificate"),
    (part: "wrong version number", normalized: "the server does not support TLS"),
    (part: "self signed certificate", normalized: "the certificate is self-signed"),
    (part: "self-signed certificate", normalized: "the certificate is self-signed"),
].map { (part: $0.part.lowercased(), normalized: $0.normalized) }

/// The networks of the system.
enum SystemNetwork {
    /// Whether the system has a route to other machines, by IPv4 or IPv6. No packet is sent.
    static var hasRoute: Bool { hasRoute { routeError(to: $0) } }

    /// - Parameter error: returns the `errno` of finding a route to an address; 0 if there is one.
    static func hasRoute(_ error: (Family) -> Int32) -> Bool {
        Family.allCases.contains { ![ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT].contains(error($0)) }
    }

    enum Family: CaseIterable {
        case v4, v6

        /// An address that is reserved for documentation.
        ///
        /// Source: [RFC 5737, 3](https://www.rfc-editor.org/rfc/rfc5737#section-3) and
        /// [RFC 3849, 2](https://www.rfc-editor.org/rfc/rfc3849#section-2).
        fileprivate var documentation: String { self == .v4 ? "192.0.2.1" : "2001:db8::1" }
    }

    /// Finds the route by connecting a UDP socket, which sends nothing.
    private static func routeError(to family: Family) -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var addresses: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(family.documentation, "9", &hints, &addresses) == 0, let address = addresses?.pointee else { return 0 }
        defer { freeaddrinfo(addresses) }
        let socket = PrivateDescriptors.socket(address.ai_family, datagramSocket, 0)
        guard socket >= 0 else { return errno }
        defer { close(socket) }
        return connect(socket, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno
    }
}

#if canImport(Darwin)
    private let datagramSocket = SOCK_DGRAM
#else
    private let datagramSocket = Int32(SOCK_DGRAM.rawValue)
#endif
