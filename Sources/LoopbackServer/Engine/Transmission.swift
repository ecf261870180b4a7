import Foundation

/// The transmission of one response as a state machine without I/O: `next()` returns the next action.
///
/// The connection calls `next()` again when the action is done: the kernel has taken the bytes, the delay has passed, or the stream has
/// more bytes.
struct Transmission: Sendable {
    enum Action: Sendable, Equatable {
        case send(Data)
        case wait(Duration)
        case awaitBody
        case finish(keepsConnection: Bool)
        case end(ResponseFaults.End)
        case abort
    }

    enum Source: Sendable {
        case finite(ResponseBody, count: Int)
        case feed(BodyFeed)
    }

    private enum Stage: Sendable { case delay, head, body, pause, lastChunk, end }

    private static let pieceBytes = 64 << 10

    private let head: Data
    private let faults: ResponseFaults
    private let source: Source
    private let isChunked: Bool
    private let keepsConnection: Bool
    private var stage = Stage.delay
    private var sent = 0

    init(head: Data, faults: ResponseFaults, source: Source, isChunked: Bool, keepsConnection: Bool) {
        self.head = head
        self.faults = faults
        self.source = source
        self.isChunked = isChunked
        self.keepsConnection = keepsConnection
    }

    /// Creates the transmission of a handler's response; `feed` is set when the body is a stream.
    init(_ response: LoopbackServer.Response, for request: LoopbackServer.Request, feed: BodyFeed?) {
        let faults = ResponseFaults(response.faults)
        if case .raw(let bytes) = response.body {
            self.init(
                head: Data(), faults: faults, source: .finite(response.body, count: bytes.count), isChunked: false, keepsConnection: false)
            return
        }
        if case .upgrade = response.body, let feed {
            let head = ResponseHead.interim(response.status, response.headers)
            self.init(head: head, faults: faults, source: .feed(feed), isChunked: false, keepsConnection: false)
            return
        }
        let head = ResponseHead(response, for: request, faults: faults)
        let count = head.sendsBody ? response.body.count ?? 0 : 0
        let source = feed.flatMap { head.sendsBody ? Source.feed($0) : nil } ?? .finite(response.body, count: count)
        self.init(
            head: head.bytes, faults: faults, source: source, isChunked: head.isChunked && head.sendsBody,
            keepsConnection: head.keepsConnection)
    }

    /// Creates the transmission of a response to malformed bytes.
    init(refusal response: LoopbackServer.Response) {
        let body = response.body.data ?? Data()
        self.init(
            head: ResponseHead.standalone(response) + body, faults: ResponseFaults([]), source: .finite(.data(Data()), count: 0),
            isChunked: false,
            keepsConnection: false)
    }

    /// Advances by one step.
    mutating func next() -> Action {
        switch stage {
        case .delay:
            stage = .head
            return faults.delay > .zero ? .wait(faults.delay) : next()
        case .head:
            if let end = faults.end, faults.endMoment == .beforeHead { return .end(end) }
            stage = .body
            return sendHead()
        case .body:
            return nextOfBody()
        case .pause:
            stage = .body
            return .wait(faults.pieceInterval)
        case .lastChunk:
            stage = .end
            return .send(Data("0\r\n\r\n".utf8))
        case .end:
            guard let end = faults.end else { return .finish(keepsConnection: keepsConnection) }
            return .end(end)
        }
    }

    /// Without faults, the head and the first part of the body are sent together: one packet for a small response.
    private mutating func sendHead() -> Action {
        guard !head.isEmpty else { return next() }
        guard case .finite(_, let count) = source, count > 0, faults.end == nil, faults.pieceBytes == nil else { return .send(head) }
        guard case .send(let piece) = nextOfBody() else { return .send(head) }
        return .send(head + piece)
    }

    private mutating func nextOfBody() -> Action {
        let allowed = bytesBeforeEnd.map { $0 - sent } ?? Int.max
        if let end = faults.end, allowed <= 0 { return .end(end) }
        switch take(upTo: min(allowed, faults.pieceBytes ?? Self.pieceBytes, Self.pieceBytes)) {
        case .bytes(let piece):
            defer { sent += piece.count }
            if faults.pieceBytes != nil, !isLast(piece) { stage = .pause }
            return .send(isChunked ? chunk(piece) : piece)
        case .nothingYet:
            return .awaitBody
        case .failure:
            return .abort
        case .end:
            if let end = faults.end, bytesBeforeEnd != nil { return .end(end) }
            stage = isChunked ? .lastChunk : .end
            return next()
        }
    }

    /// The position in the body at which a fault ends the response.
    private var bytesBeforeEnd: Int? {
        guard faults.end != nil else { return nil }
        switch faults.endMoment {
        case .beforeHead, .afterHead: return 0
        case .inBody(let count): return max(0, count)
        case .afterBody: return nil
        }
    }

    private func take(upTo count: Int) -> BodyFeed.Taken {
        switch source {
        case .feed(let feed):
            return feed.take(upTo: count)
        case .finite(let body, let total):
            guard sent < total else { return .end }
            return .bytes(body.bytes(sent..<min(total, sent + count)))
        }
    }

    private func isLast(_ piece: Data) -> Bool {
        guard case .finite(_, let total) = source else { return false }
        return sent + piece.count >= total
    }

    private func chunk(_ piece: Data) -> Data {
        let size = faults.hasBadChunkSize && sent == 0 ? "not-a-size" : String(piece.count, radix: 16)
        return Data("\(size)\r\n".utf8) + piece + Data("\r\n".utf8)
    }
}

extension ResponseBody {
    /// Returns the bytes at these positions of a body of known length.
    func bytes(_ range: Range<Int>) -> Data {
        switch self {
        case .data(let data), .raw(let data):
            return data.dropFirst(range.lowerBound).prefix(range.count)
        case .generated:
            return GeneratedBytes.bytes(range)
        case .slice(let data, let outer):
            return data.dropFirst(outer.lowerBound + range.lowerBound).prefix(range.count)
        case .generatedSlice(let outer):
            return GeneratedBytes.bytes((outer.lowerBound + range.lowerBound)..<(outer.lowerBound + range.upperBound))
        case .stream, .upgrade:
            return Data()
        }
    }
}

/// One request and its pending response.
struct ServedExchange {
    /// The request; `nil` for the response to malformed bytes.
    let request: LoopbackServer.Request?
    /// Cancels the handler that has not responded yet.
    var cancelHandler: (@Sendable () -> Void)?
    /// The transmission of the response, once there is one.
    var delivery: Transmission?
    /// The streaming body that has not been started yet.
    var unstartedBody: (@Sendable (BodyFeed) -> ConnectionInput)?
    var feed: BodyFeed?
    var input: ConnectionInput?

    /// The body of the request, if its route consumes it while it arrives.
    var upload: Upload? { request?.upload }

    /// Whether the response precedes the end of the body.
    var isUploadUnfinished: Bool { upload.map { !$0.hasEnded } ?? false }

    init(request: LoopbackServer.Request?) {
        self.request = request
    }

    /// Cancels the handler and the body of this exchange.
    func cancel() {
        feed?.close()
        input?.stop()
        cancelHandler?()
        upload?.fail("The connection was closed.")
    }
}

/// Responds to a request: receives a function to call with the response from any thread, and returns a function that cancels.
///
/// Responses with a status below 200 are interim; the first other one is final and further ones are ignored.
typealias Responder = @Sendable (LoopbackServer.Request, @escaping @Sendable (LoopbackServer.Response) -> Void) -> @Sendable () -> Void
