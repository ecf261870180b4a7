internal import Bytes

/// The start line and the header fields of a message of HTTP/1.
///
/// Source: [RFC 9112, 2](https://www.rfc-editor.org/rfc/rfc9112#section-2).
package struct MessageHead: Sendable, Equatable {
    /// The content of the start line, beside the version.
    package enum Start: Sendable, Equatable {
        case request(method: String, target: String)
        case response(status: Int)
    }

    package let start: Start
    /// The version: 1.0 or 1.1.
    package let minorVersion: Int
    package var headers: HTTPHeaders
    /// Whether the target of a request was a URL, so that the field `Host` does not count.
    let namesHost: Bool

    package init(_ start: Start, minorVersion: Int = 1, headers: HTTPHeaders = HTTPHeaders(), namesHost: Bool = false) {
        (self.start, self.minorVersion, self.headers, self.namesHost) = (start, minorVersion, headers, namesHost)
    }

    /// The method of a request; empty in a response.
    package var method: String { if case .request(let method, _) = start { method } else { "" } }
    /// Path and query of a request, percent-encoded, or `*`; empty in a response.
    package var target: String { if case .request(_, let target) = start { target } else { "" } }
    /// The target without its query.
    package var path: Substring { target.prefix { $0 != "?" } }
    /// The status of a response; 0 in a request.
    package var status: Int { if case .response(let status) = start { status } else { 0 } }

    /// Whether the sender keeps the connection open after the message, if the end of its body is known before.
    ///
    /// Source: [RFC 9112, 9.3](https://www.rfc-editor.org/rfc/rfc9112#section-9.3).
    package var keepsAlive: Bool {
        !headers.hasToken("close", in: "Connection") && (minorVersion == 1 || headers.hasToken("keep-alive", in: "Connection"))
    }
}

/// Writing.
extension MessageHead {
    /// The bytes of a request.
    package var bytes: [UInt8] { Self.bytes("\(method) \(target) HTTP/1.\(minorVersion)", headers) }

    /// Returns the bytes of a head. The caller has checked that the fields can be sent.
    package static func bytes(_ startLine: String, _ headers: HTTPHeaders) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes.append(line: startLine)
        for field in headers { bytes.append(field) }
        bytes.append(line: "")
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(line text: String) {
        append(contentsOf: text.utf8)
        append(.carriageReturn)
        append(.lineFeed)
    }

    /// Appends the line of a field. One without a value has no blank, as libcurl writes it.
    fileprivate mutating func append(_ field: HTTPHeaders.Field) {
        append(contentsOf: field.name.utf8)
        append(UInt8(ascii: ":"))
        if !field.value.isEmpty { append(.space) }
        if let bytes = HeaderText.opaqueBytes(field) { append(contentsOf: bytes) } else { append(contentsOf: field.value.utf8) }
        append(line: "")
    }
}
