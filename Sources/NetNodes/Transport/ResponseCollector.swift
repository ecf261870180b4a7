import Foundation

/// A partially received response. Sound by law 2: only the serialized events of one subscription access it.
final class ResponseCollector: @unchecked Sendable {
    private static let longestReservation: Int64 = 1024 * 1024
    /// The number of bytes that are kept of an unsuccessful response for its error, if bodies are discarded.
    private static let keptOfUnsuccessfulResponse = 64 * 1024

    /// The maximum size of the body, in bytes.
    let maximumBodySize: Int
    private let discardsBody: Bool
    @exclusivity(unchecked) private var head: HTTPResponseHead?
    @exclusivity(unchecked) private var body = Data()
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
        case .head(let head): begin(with: head)
        case .chunk(let data): try add(data)
        case .end(let metrics): return end(metrics)
        }
        return nil
    }

    func begin(with head: HTTPResponseHead) {
        self.head = head
    }

    private func add(_ data: Data) throws(TransportError) {
        received += data.count
        guard received <= maximumBodySize else {
            throw .bodyTooLarge(limit: maximumBodySize, url: head.map { redacted($0.url) } ?? "")
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
        body.append(contentsOf: bytes.prefix(Self.keptOfUnsuccessfulResponse - body.count))
    }

    func end(_ metrics: TransferMetrics) -> HTTPResponse? {
        head.map { HTTPResponse(head: $0, body: body, metrics: metrics) }
    }

    /// Reserves capacity with the first bytes of a body, because growing a body copies it and needs twice the memory. The capacity is
    /// limited: the announced length may be wrong.
    private func reserveCapacity(after count: Int) {
        guard body.count == count, let length = head?.expectedLength, length > count else { return }
        body.reserveCapacity(Int(min(length, Self.longestReservation)))
    }
}
