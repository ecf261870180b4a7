/// The reason why the bytes of a client are not a valid request, and the status of the response.
struct RequestFailure: Error, Sendable, Equatable {
    let status: Int
    let reason: String

    static let tooSlow = RequestFailure(status: 408, reason: "The request took longer than this server waits.")
    static let bodyTooLarge = RequestFailure(status: 413, reason: "The body is larger than this server accepts.")
    static let headerTooLarge = RequestFailure(status: 431, reason: "The header is larger than this server accepts.")
    static let unknownExpectation = RequestFailure(status: 417, reason: "Only \"Expect: 100-continue\" is supported.")
}

extension RequestFailure {
    init(_ fault: MessageFault) {
        switch fault {
        case .malformed(let reason): self.init(status: 400, reason: "The request is not valid: \(reason).")
        case .incomplete: self.init(status: 400, reason: "The request is not complete.")
        case .bodyTooLong: self = .bodyTooLarge
        case .headerTooLong: self = .headerTooLarge
        case .startLineTooLong: self.init(status: 414, reason: "The request line is longer than this server accepts.")
        case .unknownCoding: self.init(status: 501, reason: "Only the transfer coding \"chunked\" is supported.")
        case .unknownVersion: self.init(status: 505, reason: "Only HTTP/1.0 and HTTP/1.1 are supported.")
        }
    }
}
