import Foundation
import NetNodes

/// One download: receives the events of its transfer, on any thread, and writes the body into the unfinished file.
final class DownloadSession: HeaderProvider {
    private let state: Lock<DownloadState>

    /// - Throws: `Download.Failure`.
    init(_ options: DownloadOptions) throws {
        state = Lock(try DownloadState(options))
    }

    /// The number of bytes in the file.
    var count: Int64 { state.withLock { $0.file.count } }

    /// The number of bytes of the file that were received by this command.
    var received: Int64 { state.withLock(\.received) }

    /// What is left of a download that has failed; `nil` if nothing is.
    var remainder: DownloadRemainder? { state.withLock(\.remainder) }

    /// Returns the headers that request the rest of the file, of that version only.
    func headers() -> HTTPHeaders { state.withLock { $0.headers } }

    /// Processes the next event.
    ///
    /// - Returns: the progress, when the body has begun.
    /// - Throws: `Download.Failure`, `HTTPError`, `ForeignPart` and `PartMismatch`.
    func take(_ event: TransferEvent) throws -> TransferEvent.Progress? {
        try state.withLock { try $0.take(event) }
    }

    /// Ends the download; what was received is kept.
    func close() {
        state.withLock { $0.file.close() }
    }
}

/// The bytes in the file of a download that has failed.
struct DownloadRemainder {
    let count: Int64
    /// The reason why a later download cannot continue them; `nil` if it can.
    let obstacle: String?
}

/// The response belongs to another version than the bytes of the file, which were discarded: the next request is for the complete file.
struct ForeignPart: Error {}

/// The response does not match the request.
struct PartMismatch: Error, LocalizedError {
    let errorDescription: String?
}

private struct DownloadState {
    let file: UnfinishedFile
    private let url: URL
    /// Whether the rest can be requested later: only for a GET without a body.
    private let isRepeatable: Bool
    /// The header that prevents compression, because compressed parts cannot be joined, unless the user asks for one.
    private let encoding: [HTTPHeaders.Field]
    private var unsuccessful = UnsuccessfulResponse()
    private var total: Int64?
    private var isAlreadyComplete = false
    private(set) var received: Int64 = 0

    init(_ options: DownloadOptions) throws {
        url = options.request.url
        let choosesEncoding = options.request.headers.contains { $0.name.lowercased() == "accept-encoding" }
        encoding = choosesEncoding ? [] : [HTTPHeaders.Field(name: "Accept-Encoding", value: "identity")]
        file = try UnfinishedFile(for: options.target, replacing: options.replaces)
        isRepeatable = options.request.method == "GET" && options.request.content == nil
        if !isRepeatable || file.continuedOrigin?.isOf(url) != true { file.setAside() }
    }

    var remainder: DownloadRemainder? {
        guard file.count > 0 else { return nil }
        let reason = isRepeatable ? "the response has no strong ETag and no Last-Modified" : "only a GET without a body is continued"
        return DownloadRemainder(count: file.count, obstacle: file.continuedOrigin == nil ? reason : nil)
    }

    var headers: HTTPHeaders {
        guard let validator = file.continuedOrigin?.validator else { return HTTPHeaders(encoding) }
        let range = HTTPHeaders.Field(name: "Range", value: "bytes=\(file.count)-")
        return HTTPHeaders(encoding + [range, HTTPHeaders.Field(name: "If-Range", value: validator)])
    }

    mutating func take(_ event: TransferEvent) throws -> TransferEvent.Progress? {
        if case .head(let head) = event { try checkPart(head) }
        if isAlreadyComplete {
            if case .end = event { try file.finish() }
            return nil
        }
        guard try !unsuccessful.consume(event) else { return nil }
        switch event {
        case .sent, .progress: return nil
        case .head(let head): try begin(head)
        case .chunk(let data):
            try file.append(data)
            received += Int64(data.count)
        case .end:
            if let total, total != file.count { throw try mismatch(total) }
            try file.finish()
        }
        return TransferEvent.Progress(completed: file.count, total: total)
    }

    private mutating func checkPart(_ head: HTTPResponse.Head) throws {
        guard [206, 416].contains(head.status), let origin = file.continuedOrigin else { return }
        guard origin.isContinued(by: head, at: file.count) else {
            try file.restart(from: nil)
            throw ForeignPart()
        }
        isAlreadyComplete = head.status == 416
    }

    private mutating func begin(_ head: HTTPResponse.Head) throws {
        guard head.status == 206 else {
            total = head.expectedLength
            received = 0
            return try file.restart(from: PartOrigin(head, requested: url, isRepeatable: isRepeatable))
        }
        guard let origin = file.continuedOrigin else { throw mismatch("is not the requested part") }
        total = origin.total ?? head.contentRange?.total ?? head.expectedLength.map { file.count + $0 }
    }

    /// Returns the error of a wrong length; a body that is too short can be continued.
    private func mismatch(_ total: Int64) throws -> PartMismatch {
        let count = file.count
        if count > total { try file.restart(from: nil) }
        return mismatch("has \(count) bytes instead of \(total)")
    }

    private func mismatch(_ problem: String) -> PartMismatch {
        PartMismatch(errorDescription: "The response of \(redacted(url)) \(problem)")
    }
}
