import Foundation

/// Returns libcurl's message of a failure in a uniform wording for all its versions; unknown messages are returned unchanged.
///
/// The messages contain hosts and ports, but no path, header or query.
func normalizedMessage(_ message: String) -> String {
    var text = message.hasSuffix(".") ? String(message.dropLast()) : message
    for failure in ["Recv failure: ", "Send failure: ", "SSL certificate problem: "] where text.hasPrefix(failure) {
        text.removeFirst(failure.count)
    }
    if let refusal = text.firstMatch(of: /CONNECT tunnel failed, response (\d+)|Received HTTP code (\d+) from proxy/) {
        return "it responded with \(refusal.1 ?? refusal.2 ?? "")"
    }
    if let missing = text.wholeMatch(of: /transfer closed with (\d+) bytes remaining to read/) { return "\(missing.1) bytes are missing" }
    return knownMessages.first { text.localizedCaseInsensitiveContains($0.part) }?.normalized ?? text
}

private let knownMessages = [
    (part: "outstanding read data remaining", normalized: "it is truncated"),
    (part: "Empty reply from server", normalized: "it was closed without a response"),
    (part: "chunk", normalized: "a chunk size is not a number"),
    (part: "HTTP/0.9", normalized: "it does not begin with a status line"),
    (part: "Unsupported HTTP version", normalized: "it does not begin with a status line"),
    (part: "Unsupported response code", normalized: "it does not begin with a status line"),
    // libcurl quotes the whole proxy here, with its password.
    (part: "Unsupported proxy scheme", normalized: "the proxy is of an unsupported kind"),
    (part: "Unsupported proxy syntax", normalized: "the proxy is not valid"),
    (part: "Proxy CONNECT aborted", normalized: "it closed the connection"),
    (part: "CONNECT response too large", normalized: "its response is too long"),
    (part: "Unsupported HTTP/1 subversion", normalized: "it does not begin with a status line"),
    (part: "Invalid Content-Length", normalized: "the Content-Length is not a number"),
    (part: "Header without colon", normalized: "a line of the header has no colon"),
    (part: "content unencoding", normalized: "the compressed body is damaged"),
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
]
