public import Foundation

/// A response without its body.
public struct HTTPResponseHead: Sendable, Equatable {
    /// The status code, for example 404.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The final URL, which differs from the requested one after a redirect.
    public var url: URL

    /// Creates the head of a response.
    public init(status: Int, headers: HTTPHeaders = [:], url: URL) {
        self.status = status
        self.headers = headers
        self.url = url
    }

    /// The announced length. For a compressed response this is not the length of the delivered chunks.
    public var expectedLength: Int64? {
        guard headers["Content-Encoding"] == nil else { return nil }
        return headers["Content-Length"].flatMap { Int64($0) }
    }

    /// The media type of `Content-Type`, in lower case and without parameters; empty without one.
    package var mediaType: String {
        let type = (headers["Content-Type"] ?? "").prefix { $0 != ";" }
        return type.trimmingCharacters(in: .whitespaces).lowercased()
    }
}

/// A complete response.
public struct HTTPResponse: Sendable, Equatable {
    /// The response without its body.
    public var head: HTTPResponseHead
    /// The body, decompressed.
    public var body: Data
    /// The metrics of the transfer, if the transport provides them.
    public var metrics: TransferMetrics?

    /// Creates a response, for a test or a transport of your own.
    public init(head: HTTPResponseHead, body: Data = Data(), metrics: TransferMetrics? = nil) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }

    /// The body, for pipelines such as `transport.response(to: request).map(\.data).decode(as: Model.self)`.
    public var data: Data { body }
    /// The number of bytes received, even if they were discarded.
    var bodySize: Int { body.isEmpty ? Int(clamping: metrics?.bytesReceived ?? 0) : body.count }
    /// The status code.
    public var status: Int { head.status }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }
    /// The final URL.
    public var url: URL { head.url }
}

/// The description of a head is redacted.
extension HTTPResponseHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(status) of \(redacted(url)) \(headers)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["head": description]) }
}

/// The description of a response is redacted: the head, and the length of the body.
extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(head) \(body.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
