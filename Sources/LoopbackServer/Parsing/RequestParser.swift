internal import Bytes

/// Parses the bytes of one connection into requests, however they are split.
///
/// The parser is a value without I/O: `append` the bytes that were read, then call `next()` until it needs more. Every split of the same
/// bytes produces the same steps, except that a body which is passed on as it arrives may be split elsewhere. The parser buffers the bytes
/// that are not consumed yet (the caller bounds them by pausing reads), and at most one body of the allowed size. After a failure it stays
/// failed.
///
/// Source: [RFC 9112, HTTP/1.1](https://www.rfc-editor.org/rfc/rfc9112).
struct RequestParser: Sendable {
    /// The limits of a request.
    struct Limits: Sendable, Equatable {
        var lineBytes = 16 << 10
        var headerBytes = 64 << 10
        var bodyBytes = 64 << 20
    }

    /// A complete request.
    struct Request: Sendable, Equatable {
        let head: RequestHead
        let body: [UInt8]
        /// Whether the client waits for a response before it sends the body of an upload.
        var expectsContinue = false
    }

    /// The result of parsing a step.
    enum Step: Sendable, Equatable {
        case needsInput
        case expectsContinue
        case request(Request)
        /// A request whose body follows as it arrives.
        case upload(Request)
        case bytes([UInt8])
        case bodyEnd
        case failed(RequestFailure)
    }

    private enum Phase: Sendable {
        case requestLine
        case fields(RequestHead)
        case fixedBody(RequestHead, remaining: Int)
        case chunkSize(RequestHead)
        case chunk(RequestHead, remaining: Int)
        case chunkEnd(RequestHead)
        case trailers(RequestHead)
        case failed(RequestFailure)
    }

    private static let toleratedEmptyLines = 4

    private let limits: Limits
    private let isUpload: @Sendable (RequestHead) -> Bool
    /// Whether the body is passed on as it arrives.
    private var isUploading = false
    private var phase = Phase.requestLine
    private var input = ByteQueue()
    private var fields = HTTPHeaders()
    private var body: [UInt8] = []
    private var emptyLines = 0
    private var headerBytesLeft: Int

    /// - Parameter isUpload: whether the body of a request is passed on as it arrives; then it may have any size.
    init(limits: Limits = Limits(), isUpload: @escaping @Sendable (RequestHead) -> Bool = { _ in false }) {
        self.limits = limits
        self.isUpload = isUpload
        headerBytesLeft = limits.headerBytes
    }

    /// The number of bytes appended but not consumed yet.
    var bufferedBytes: Int { input.count }

    /// Whether a request has begun and is incomplete.
    var isInsideRequest: Bool {
        if case .requestLine = phase { return !input.isEmpty }
        return true
    }

    /// Removes and returns the bytes that are not consumed, because they belong to another protocol.
    mutating func takeBuffered() -> [UInt8] { input.takeAll() }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        input.append(bytes)
    }

    mutating func append(_ bytes: [UInt8]) {
        input.append(bytes)
    }

    /// Consumes input up to the next step.
    mutating func next() -> Step {
        do throws(RequestFailure) {
            while true {
                if let step = try advance() { return step }
            }
        } catch {
            phase = .failed(error)
            input = ByteQueue()
            body = []
            return .failed(error)
        }
    }

    private mutating func advance() throws(RequestFailure) -> Step? {
        switch phase {
        case .requestLine: return try readRequestLine()
        case .fields(let head): return try readField(of: head)
        case .fixedBody(let head, let remaining): return readFixedBody(of: head, remaining: remaining)
        case .chunkSize(let head): return try readChunkSize(of: head)
        case .chunk(let head, let remaining): return readChunk(of: head, remaining: remaining)
        case .chunkEnd(let head): return try readChunkEnd(of: head)
        case .trailers(let head): return try readTrailer(of: head)
        case .failed(let failure): throw failure
        }
    }

    private mutating func readRequestLine() throws(RequestFailure) -> Step? {
        guard let line = try input.takeLine(limit: limits.lineBytes, tooLong: .targetTooLong) else { return .needsInput }
        guard line.isEmpty else {
            phase = .fields(try RequestHead(line: line))
            fields = HTTPHeaders()
            headerBytesLeft = limits.headerBytes
            emptyLines = 0
            return nil
        }
        emptyLines += 1
        guard emptyLines <= Self.toleratedEmptyLines else { throw .malformed("There are only empty lines.") }
        return nil
    }

    private mutating func readField(of head: RequestHead) throws(RequestFailure) -> Step? {
        guard let line = try takeHeaderLine() else { return .needsInput }
        guard line.isEmpty else {
            let field = try RequestHead.field(line: line)
            fields.append(field.name, field.value)
            return nil
        }
        return try beginBody(of: head.with(fields))
    }

    private mutating func beginBody(of head: RequestHead) throws(RequestFailure) -> Step? {
        body = []
        let expectsContinue = try head.expectsContinue()
        let passesOn = isUpload(head)
        switch try head.bodyLength(limit: passesOn ? .max : limits.bodyBytes) {
        case .fixed(0): return finish(head)
        case .fixed(let count): phase = .fixedBody(head, remaining: count)
        case .chunked: phase = .chunkSize(head)
        }
        isUploading = passesOn
        if passesOn { return .upload(Request(head: head, body: [], expectsContinue: expectsContinue)) }
        return expectsContinue ? .expectsContinue : nil
    }

    private mutating func readFixedBody(of head: RequestHead, remaining: Int) -> Step? {
        let taken = takeBody(remaining)
        phase = .fixedBody(head, remaining: remaining - taken)
        if let piece = takePiece() { return piece }
        return taken == remaining ? finish(head) : .needsInput
    }

    /// Moves at most `limit` bytes to the body and returns how many.
    private mutating func takeBody(_ limit: Int) -> Int {
        let taken = input.take(atMost: limit)
        body += taken
        return taken.count
    }

    private mutating func readChunkSize(of head: RequestHead) throws(RequestFailure) -> Step? {
        let tooLong = RequestFailure.malformed("A chunk's size line is too long.")
        guard let line = try input.takeLine(limit: limits.lineBytes, tooLong: tooLong) else { return .needsInput }
        let size = try ChunkLine.size(line)
        guard isUploading || size <= limits.bodyBytes - body.count else { throw .bodyTooLarge }
        headerBytesLeft = limits.headerBytes
        phase = size == 0 ? .trailers(head) : .chunk(head, remaining: size)
        return nil
    }

    private mutating func readChunk(of head: RequestHead, remaining: Int) -> Step? {
        let taken = takeBody(remaining)
        phase = taken == remaining ? .chunkEnd(head) : .chunk(head, remaining: remaining - taken)
        if let piece = takePiece() { return piece }
        return taken == remaining ? nil : .needsInput
    }

    /// Takes the received bytes of a body that is passed on.
    private mutating func takePiece() -> Step? {
        guard isUploading, !body.isEmpty else { return nil }
        defer { body = [] }
        return .bytes(body)
    }

    private mutating func readChunkEnd(of head: RequestHead) throws(RequestFailure) -> Step? {
        let missing = RequestFailure.malformed("A chunk does not end where its size says.")
        guard let line = try input.takeLine(limit: 0, tooLong: missing) else { return .needsInput }
        guard line.isEmpty else { throw missing }
        phase = .chunkSize(head)
        return nil
    }

    private mutating func readTrailer(of head: RequestHead) throws(RequestFailure) -> Step? {
        guard let line = try takeHeaderLine() else { return .needsInput }
        if line.isEmpty { return finish(head) }
        _ = try RequestHead.field(line: line)
        return nil
    }

    private mutating func takeHeaderLine() throws(RequestFailure) -> ArraySlice<UInt8>? {
        // The empty line that ends the header is allowed regardless of how much of the limit the fields used.
        guard let line = try input.takeLine(limit: max(0, headerBytesLeft - 2), tooLong: .headerTooLarge) else { return nil }
        headerBytesLeft -= line.count + 2
        return line
    }

    private mutating func finish(_ head: RequestHead) -> Step {
        phase = .requestLine
        defer { (body, isUploading) = ([], false) }
        return isUploading ? .bodyEnd : .request(Request(head: head, body: body))
    }
}

extension ByteQueue {
    /// Takes the next line without its terminator, or `nil` while the line is incomplete. Only CR LF terminates a line.
    fileprivate mutating func takeLine(limit: Int, tooLong: RequestFailure) throws(RequestFailure) -> ArraySlice<UInt8>? {
        guard let line = takeLine() else {
            // One byte more than the limit may be the carriage return whose line feed is still to come.
            guard count <= limit + 1 else { throw tooLong }
            return nil
        }
        guard line.count <= limit + 2 else { throw tooLong }
        guard line.dropLast().last == .carriageReturn else { throw .malformed("A line ends without a carriage return.") }
        return line.dropLast(2)
    }
}
