/// The reason why the bytes of a client are not a valid request, and the status of the response.
struct RequestFailure: Error, Sendable, Equatable {
    let status: Int
    let reason: String

    static func malformed(_ reason: String) -> RequestFailure { RequestFailure(status: 400, reason: reason) }
    static let tooSlow = RequestFailure(status: 408, reason: "The request took longer than this server waits.")
    static let bodyTooLarge = RequestFailure(status: 413, reason: "The body is larger than this server accepts.")
    static let targetTooLong = RequestFailure(status: 414, reason: "The request line is longer than this server accepts.")
    static let headerTooLarge = RequestFailure(status: 431, reason: "The header is larger than this server accepts.")
    static let unknownExpectation = RequestFailure(status: 417, reason: "Only \"Expect: 100-continue\" is supported.")
    static let unknownCoding = RequestFailure(status: 501, reason: "Only the transfer coding \"chunked\" is supported.")
    static let unknownVersion = RequestFailure(status: 505, reason: "Only HTTP/1.0 and HTTP/1.1 are supported.")
}
