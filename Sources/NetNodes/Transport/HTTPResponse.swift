public import Foundation

extension HTTPResponse {
    /// A response without its body.
    public struct Head: Sendable, Equatable {
        /// The status code, for example 404.
        public var status: Int
        /// The header fields.
        public var headers: HTTPHeaders
        /// The final URL, which differs from the requested one after a redirect.
        public var url: URL
        /// The names in the query whose values are shown in logs and errors, as in the request.
        var shownQuery: Set<String> = []

        /// Creates the head of a response.
        public init(status: Int, headers: HTTPHeaders = [:], url: URL) {
            self.status = status
            self.headers = headers
            self.url = url
        }

        /// The URL as logs and errors show it.
        var redactedURL: String { redacted(url, showing: shownQuery) }

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
}

/// A complete response.
public struct HTTPResponse: Sendable, Equatable {
    /// The response without its body.
    public var head: Head
    /// The body, decompressed.
    public var body: Data
    /// The metrics of the transfer, if the transport provides them.
    public var metrics: Metrics?

    /// Creates a response, for a test or a transport of your own.
    public init(head: Head, body: Data = Data(), metrics: Metrics? = nil) {
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
extension HTTPResponse.Head: RedactedDescription {
    public var description: String { "\(status) of \(redactedURL) \(headers)" }
}

/// The description of a response is redacted: the head, and the length of the body.
extension HTTPResponse: RedactedDescription {
    public var description: String { "\(head) \(body.count) bytes" }
}

/// A partially received response. Sound by law 2: only the serialized events of one subscription access it.
final class ResponseCollector: @unchecked Sendable {
    private static let longestReservation: Int64 = 1024 * 1024

    /// The maximum size of the body, in bytes.
    let maximumBodySize: Int
    private let discardsBody: Bool
    @exclusivity(unchecked) private var head: HTTPResponse.Head?
    @exclusivity(unchecked) private var body = Data()
    /// The length that the head announces.
    private var expectedLength: Int64?
    private var received = 0

    init(maximumBodySize: Int, discardsBody: Bool = false) {
        self.maximumBodySize = maximumBodySize
        self.discardsBody = discardsBody
    }

    convenience init(for request: HTTPRequest) {
        let usual = request.discardsBody ? .max : HTTPRequest.Limits.collectedBodySize
        self.init(maximumBodySize: request.limits.maximumBodySize ?? usual, discardsBody: request.discardsBody)
    }

    /// - Returns: the response, with its last event.
    /// - Throws: `TransportError.bodyTooLarge`.
    func add(_ event: TransferEvent) throws(TransportError) -> HTTPResponse? {
        switch event {
        case .sent, .progress: break
        case .head(let head): begin(with: head, expectedLength: head.expectedLength)
        case .chunk(let data): try add(data)
        case .end(let metrics): return end(metrics)
        }
        return nil
    }

    func begin(with head: HTTPResponse.Head, expectedLength: Int64?) {
        (self.head, self.expectedLength) = (head, expectedLength)
    }

    private func add(_ data: Data) throws(TransportError) {
        received += data.count
        guard received <= maximumBodySize else {
            throw .bodyTooLarge(limit: maximumBodySize, url: head?.redactedURL ?? "")
        }
        guard !discardsBody, body.isEmpty else { return data.withUnsafeBytes(append) }
        body = data
        reserveCapacity(after: data.count)
    }

    /// Appends borrowed bytes of the body. The caller checks the limit.
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard !discardsBody else { return appendOfUnsuccessfulResponse(bytes) }
        if body.isEmpty { body = Data(bytes) } else { body.append(contentsOf: bytes) }
        reserveCapacity(after: bytes.count)
    }

    private func appendOfUnsuccessfulResponse(_ bytes: UnsafeRawBufferPointer) {
        guard let head, head.status >= 400 else { return }
        body.append(contentsOf: bytes.prefix(UnsuccessfulResponse.limit - body.count))
    }

    func end(_ metrics: HTTPResponse.Metrics) -> HTTPResponse? {
        head.map { HTTPResponse(head: $0, body: body, metrics: metrics) }
    }

    /// Reserves capacity with the first bytes of a body, because growing a body copies it and needs twice the memory. The capacity is
    /// limited: the announced length may be wrong.
    private func reserveCapacity(after count: Int) {
        guard let length = expectedLength, length > count, body.count == count else { return }
        body.reserveCapacity(Int(min(length, Self.longestReservation)))
    }
}
