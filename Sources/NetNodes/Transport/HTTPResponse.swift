public import Foundation

/// The first part of a response: everything but its body.
public struct HTTPResponseHead: Sendable, Equatable {
    /// The status code, for example 404.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The URL that answered: not the requested one where a redirect was followed.
    public var url: URL

    public init(status: Int, headers: HTTPHeaders = [:], url: URL) {
        self.status = status
        self.headers = headers
        self.url = url
    }

    /// The length that the server announced. For a compressed response this is not the length of the chunks delivered.
    public var expectedLength: Int64? {
        guard headers["Content-Encoding"] == nil else { return nil }
        return headers["Content-Length"].flatMap { Int64($0) }
    }
}

/// A whole response.
public struct HTTPResponse: Sendable, Equatable {
    /// Everything but the body.
    public var head: HTTPResponseHead
    /// The body, decompressed.
    public var body: Data
    /// How the transfer went, where the transport tells.
    public var metrics: TransferMetrics?

    public init(head: HTTPResponseHead, body: Data = Data(), metrics: TransferMetrics? = nil) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }

    /// The body, as pipelines ask for it: `transport.response(to: request).map(\.data).decode(as: Model.self)`.
    public var data: Data { body }
    /// How many bytes came, also where they were discarded.
    var bodySize: Int { body.isEmpty ? Int(clamping: metrics?.bytesReceived ?? 0) : body.count }
    /// The status code.
    public var status: Int { head.status }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }
    /// The URL that answered.
    public var url: URL { head.url }
}

/// A head prints without its secrets.
extension HTTPResponseHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(status) of \(redacted(url)) \(headers)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["head": description]) }
}

/// A response prints without its secrets: the head, and how long the body is.
extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(head) \(body.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
