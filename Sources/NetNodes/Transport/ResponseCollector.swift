import Foundation

/// A response as far as it has come. Law 2 makes the unchecked conformance sound: only the events of one subscription reach it.
final class ResponseCollector: @unchecked Sendable {
    private static let longestReservation: Int64 = 1024 * 1024
    /// What is kept of a bad response where bodies are discarded: its error is made of it.
    private static let keptOfBadResponse = 64 * 1024

    /// The longest body, in bytes.
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
        makeRoom(after: data.count)
    }

    /// Takes bytes of the body that are lent. Their number is the lender's business.
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard !discardsBody else { return appendOfBadResponse(bytes) }
        if body.isEmpty { body = Data(bytes) } else { body.append(contentsOf: bytes) }
        makeRoom(after: bytes.count)
    }

    private func appendOfBadResponse(_ bytes: UnsafeRawBufferPointer) {
        guard let head, head.status >= 400 else { return }
        body.append(contentsOf: bytes.prefix(Self.keptOfBadResponse - body.count))
    }

    func end(_ metrics: TransferMetrics) -> HTTPResponse? {
        head.map { HTTPResponse(head: $0, body: body, metrics: metrics) }
    }

    /// A body that grows is moved, and stands in memory twice then: it gets its room with its first bytes. Nobody has to believe what is
    /// announced, though.
    private func makeRoom(after count: Int) {
        guard body.count == count, let length = head?.expectedLength, length > count else { return }
        body.reserveCapacity(Int(min(length, Self.longestReservation)))
    }
}
