import Foundation

/// What libcurl says about a failure, in words for a person, the same for every version of it; words that are not known here stay.
///
/// They name hosts and ports, but no path, header or query.
func normalizedMessage(_ message: String) -> String {
    var text = message.hasSuffix(".") ? String(message.dropLast()) : message
    for failure in ["Recv failure: ", "Send failure: ", "SSL certificate problem: "] where text.hasPrefix(failure) {
        text.removeFirst(failure.count)
    }
    if let refusal = text.firstMatch(of: /CONNECT tunnel failed, response (\d+)|Received HTTP code (\d+) from proxy/) {
        return "it answered \(refusal.1 ?? refusal.2 ?? "")"
    }
    if let missing = text.wholeMatch(of: /transfer closed with (\d+) bytes remaining to read/) { return "\(missing.1) bytes are missing" }
    return words.first { text.localizedCaseInsensitiveContains($0.part) }?.own ?? text
}

private let words = [
    (part: "outstanding read data remaining", own: "its end is missing"),
    (part: "Empty reply from server", own: "it was closed without an answer"),
    (part: "chunk", own: "the size of a chunk is no number"),
    (part: "HTTP/0.9", own: "it does not begin with a status line"),
    (part: "Unsupported HTTP version", own: "it does not begin with a status line"),
    (part: "Unsupported response code", own: "it does not begin with a status line"),
    // libcurl quotes the whole proxy here, with its password.
    (part: "Unsupported proxy scheme", own: "the environment names a proxy of a kind that is not supported"),
    (part: "Unsupported proxy syntax", own: "what the environment names is no proxy"),
    (part: "CONNECT response too large", own: "its answer is too long"),
    (part: "Unsupported HTTP/1 subversion", own: "it does not begin with a status line"),
    (part: "Invalid Content-Length", own: "the announced length is no number"),
    (part: "Header without colon", own: "a line of the header has no colon"),
    (part: "content unencoding", own: "the compressed body is damaged"),
    (part: "no alternative certificate subject name", own: "the certificate is for another host"),
    (part: "wrong version number", own: "the server does not speak TLS"),
    (part: "self signed certificate", own: "the certificate is self-signed"),
    (part: "self-signed certificate", own: "the certificate is self-signed"),
]
