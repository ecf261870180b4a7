internal import Bytes

/// How the end of a body is found.
///
/// Source: [RFC 9112, 6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3).
package enum BodyFraming: Sendable, Equatable {
    case fixed(Int)
    case chunked
    /// The body of a response ends with its connection.
    case untilClose
    /// After the head the connection belongs to another protocol.
    case upgraded

    /// Rejects every request that RFC 9112 declares an error, which prevents the smuggling of requests, and every response whose length is
    /// in doubt.
    ///
    /// A response may have a length beside chunks: then the chunks count, as they do for libcurl.
    ///
    /// - Parameter answersHead: whether the message is the response to HEAD.
    init(of head: MessageHead, answersHead: Bool) throws(MessageFault) {
        let fields = try FramingFields(head.headers)
        switch head.start {
        case .request: self = try Self.ofRequest(head, fields)
        case .response(let status): self = try Self.ofResponse(status, fields, answersHead: answersHead)
        }
    }

    private static func ofRequest(_ head: MessageHead, _ fields: FramingFields) throws(MessageFault) -> BodyFraming {
        try fields.checkHost(of: head)
        guard fields.hasCoding else {
            guard !fields.isTooLong else { throw .bodyTooLong }
            return .fixed(fields.length ?? 0)
        }
        guard !fields.hasLength else { throw .malformed("Content-Length and Transfer-Encoding exclude each other") }
        guard head.minorVersion == 1 else { throw .malformed("HTTP/1.0 has no transfer coding") }
        try fields.checkCoding()
        return .chunked
    }

    private static func ofResponse(_ status: Int, _ fields: FramingFields, answersHead: Bool) throws(MessageFault) -> BodyFraming {
        guard !fields.isTooLong else { throw FramingFields.noNumber }
        if status == 101 { return .upgraded }
        if answersHead || status < 200 || status == 204 || status == 304 { return .fixed(0) }
        guard fields.hasCoding else { return fields.length.map { .fixed($0) } ?? .untilClose }
        try fields.checkCoding()
        return .chunked
    }
}

extension HTTPHeaders {
    /// Rejects a length of the body that is not a number, or that is several numbers. If a client and a server disagree about it, one takes
    /// a part of a message for the next.
    package func checkBodyLength() throws(MessageFault) {
        guard try !FramingFields(self).isTooLong else { throw FramingFields.noNumber }
    }
}

/// The fields that decide how a message is framed.
private struct FramingFields {
    static let noNumber = MessageFault.malformed("the Content-Length is not a number")

    private(set) var length: Int?
    /// Whether the length is a number that this machine does not have.
    private(set) var isTooLong = false
    /// Whether there is a field for a transfer coding; one without a value counts too, since another recipient may take it for a coding.
    private(set) var hasCoding = false
    private var codings: [String] = []
    private var host: String?
    private var hosts = 0

    var hasLength: Bool { length != nil || isTooLong }

    init(_ headers: HTTPHeaders) throws(MessageFault) {
        for field in headers {
            switch field.name.utf8.count {
            case 4 where field.name.equalsIgnoringASCIICase("Host"): (host, hosts) = (field.value, hosts + 1)
            case 14 where field.name.equalsIgnoringASCIICase("Content-Length"): try add(length: field.value)
            case 17 where field.name.equalsIgnoringASCIICase("Transfer-Encoding"): hasCoding = true
            default: break
            }
        }
        if hasCoding { codings = headers.tokens(in: "Transfer-Encoding") }
    }

    private mutating func add(length text: String) throws(MessageFault) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0.isDigit }) else { throw Self.noNumber }
        guard let number = Int(text) else { return isTooLong = true }
        guard length ?? number == number else { throw Self.noNumber }
        length = number
    }

    /// HTTP/1.0 does not require the field. It may be empty if the target is a URL, which names the host.
    ///
    /// Source: [RFC 9112, 3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2).
    func checkHost(of head: MessageHead) throws(MessageFault) {
        guard hosts == 1 || hosts == 0 && head.minorVersion == 0 else { throw .malformed("there must be exactly one Host header") }
        guard var host, !(host.isEmpty && head.namesHost) else { return }
        guard host.withUTF8({ UnsafeRawBufferPointer($0).isHostAndPort }) else {
            throw .malformed("the Host header is not a host, or a host and a port")
        }
    }

    func checkCoding() throws(MessageFault) {
        guard codings == ["chunked"] else { throw .unknownCoding }
    }
}
