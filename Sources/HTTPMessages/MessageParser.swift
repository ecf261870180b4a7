internal import Bytes

/// Parses the bytes of one direction of a connection into messages of HTTP/1, however they are split.
///
/// The parser is a value without I/O: `append` the bytes that were read, then call `next()` until it needs more. Every split of the same
/// bytes produces the same steps, except that the bytes of a body may be split elsewhere. Memory is bounded by the limits and by what is
/// appended and not consumed yet: the caller bounds that by pausing reads. After a failure the parser stays failed.
///
/// The choices that RFC 9112 leaves to the recipient depend on the role. A server rejects what another server may read differently. A client reads a
/// line that ends without a carriage return, and a folded field, because libcurl and browsers do.
///
/// Source: [RFC 9112, HTTP/1.1](https://www.rfc-editor.org/rfc/rfc9112).
package struct MessageParser: Sendable {
    /// Whose input is parsed: a server receives requests, a client responses.
    package enum Role: Sendable {
        case server
        case client
    }

    /// The limits of a message, in bytes.
    package struct Limits: Sendable, Equatable {
        package var startLine: Int
        /// All lines of a header, and the trailers and extensions of chunks; of a response also its status line and interim heads.
        package var header: Int

        package init(startLine: Int = 16 << 10, header: Int = 64 << 10) {
            (self.startLine, self.header) = (startLine, header)
        }
    }

    /// The result of parsing a step.
    package enum Step: Sendable, Equatable {
        case needsInput
        case head(MessageHead, BodyFraming)
        case bytes(ArraySlice<UInt8>)
        /// The end of a message; the next one may follow.
        case end
        case failed(MessageFault)
    }

    private enum Phase: Sendable {
        case head
        case body(Int)
        case untilClose
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case upgraded
        case failed(MessageFault)
    }

    private static let toleratedEmptyLines = 4
    /// The digits of the size of a chunk; what the line has beyond them counts as header.
    private static let sizeDigits = 15

    private let role: Role
    private let limits: Limits
    private let answersHead: Bool
    private var phase = Phase.head
    private var input = ByteQueue()
    private var reader: HeadReader
    private var emptyLines = 0
    private var headerLeft: Int
    /// The number of bytes that the body may still have in chunks. The caller sets it when it knows the head.
    package var bodyLeft = Int.max

    /// - Parameter answersHead: whether the responses are those to HEAD, which have no body.
    package init(_ role: Role, limits: Limits = Limits(), answersHead: Bool = false) {
        (self.role, self.limits, self.answersHead) = (role, limits, answersHead)
        reader = HeadReader(role)
        headerLeft = limits.header
    }

    /// The number of bytes appended but not consumed yet.
    package var bufferedBytes: Int { input.count }

    /// Whether a message has begun and is incomplete.
    package var isInsideMessage: Bool {
        if case .head = phase { return !input.isEmpty || reader.hasBegun }
        return true
    }

    /// The bytes that are not consumed.
    package var rest: ArraySlice<UInt8> { input.rest }

    /// Removes and returns the bytes that are not consumed, because they belong to another protocol.
    package mutating func takeBuffered() -> [UInt8] { input.takeAll() }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { input.append(bytes) }

    /// Consumes input up to the next step.
    package mutating func next() -> Step {
        do throws(MessageFault) {
            while true {
                if let step = try advance() { return step }
            }
        } catch { return fail(error) }
    }

    /// Handles the end of the connection, after the last step of the received bytes.
    package mutating func close() -> Step {
        switch phase {
        case .failed(let fault): .failed(fault)
        case .untilClose: end()
        case .upgraded: .needsInput
        case .head where !isInsideMessage: .needsInput
        default: fail(.incomplete)
        }
    }

    private mutating func fail(_ fault: MessageFault) -> Step {
        phase = .failed(fault)
        input = ByteQueue()
        return .failed(fault)
    }

    private mutating func advance() throws(MessageFault) -> Step? {
        switch phase {
        case .head: return try readHead()
        case .body(0): return end()
        case .body(let rest):
            guard let bytes = take(rest) else { return .needsInput }
            phase = .body(rest - bytes.count)
            return .bytes(bytes)
        case .untilClose: return take(.max).map { .bytes($0) } ?? .needsInput
        case .chunkSize: return try readChunkSize()
        case .chunk(let rest):
            guard let bytes = take(rest) else { return .needsInput }
            phase = bytes.count == rest ? .chunkEnd : .chunk(rest - bytes.count)
            return .bytes(bytes)
        case .chunkEnd: return try readChunkEnd()
        case .trailers: return try readTrailers()
        case .upgraded: return .needsInput
        case .failed(let fault): throw fault
        }
    }

    private mutating func end() -> Step {
        (phase, bodyLeft, headerLeft) = (.head, .max, limits.header)
        return .end
    }

    private mutating func take(_ limit: Int) -> ArraySlice<UInt8>? { input.isEmpty ? nil : input.take(atMost: limit) }
}

/// The head.
extension MessageParser {
    private mutating func readHead() throws(MessageFault) -> Step? {
        while let line = try takeHeadLine() {
            if line.isEmpty, !reader.hasBegun, role == .server {
                try countEmptyLine()
            } else if try line.parsed({ bytes throws(MessageFault) in try reader.consume(bytes) }) {
                return try begin()
            }
        }
        return .needsInput
    }

    private mutating func begin() throws(MessageFault) -> Step {
        let head = reader.take()
        emptyLines = 0
        let framing = try BodyFraming(of: head, answersHead: answersHead)
        switch framing {
        case .fixed(let count): phase = .body(count)
        case .chunked: phase = .chunkSize
        case .untilClose: phase = .untilClose
        case .upgraded: phase = .upgraded
        }
        return .head(head, framing)
    }

    private mutating func takeHeadLine() throws(MessageFault) -> ArraySlice<UInt8>? {
        guard role == .server, !reader.hasBegun else { return try takeHeaderLine() }
        return try takeLine(limit: limits.startLine, tooLong: .startLineTooLong)
    }

    private mutating func countEmptyLine() throws(MessageFault) {
        emptyLines += 1
        guard emptyLines <= Self.toleratedEmptyLines else { throw .malformed("there are only empty lines") }
    }
}

/// Chunks.
extension MessageParser {
    private mutating func readChunkSize() throws(MessageFault) -> Step? {
        let tooLong = MessageFault.malformed("the line of a chunk size is too long")
        let limit = min(limits.startLine, headerLeft + Self.sizeDigits)
        guard let line = try takeLine(limit: limit, tooLong: tooLong) else { return .needsInput }
        let size = try line.parsed(ChunkLine.size)
        headerLeft -= max(0, line.count - Self.sizeDigits)
        guard size <= bodyLeft else { throw .bodyTooLong }
        bodyLeft -= size
        phase = size == 0 ? .trailers : .chunk(size)
        return nil
    }

    private mutating func readChunkEnd() throws(MessageFault) -> Step? {
        let missing = MessageFault.malformed("a chunk does not end where its size says")
        guard let line = try takeLine(limit: 0, tooLong: missing) else { return .needsInput }
        guard line.isEmpty else { throw missing }
        phase = .chunkSize
        return nil
    }

    private mutating func readTrailers() throws(MessageFault) -> Step? {
        while let line = try takeHeaderLine() {
            if line.isEmpty { return end() }
            _ = try line.parsed { bytes throws(MessageFault) in try HTTPHeaders.Field(line: bytes) }
        }
        return .needsInput
    }
}

/// Lines.
extension MessageParser {
    private mutating func takeHeaderLine() throws(MessageFault) -> ArraySlice<UInt8>? {
        // The empty line that ends the header is allowed regardless of how much of the limit the fields used.
        guard let line = try takeLine(limit: max(0, headerLeft - 2), tooLong: .headerTooLong(limit: limits.header)) else { return nil }
        headerLeft -= line.count + 2
        return line
    }

    /// Takes the next line without its end, or `nil` while the line is incomplete.
    private mutating func takeLine(limit: Int, tooLong: MessageFault) throws(MessageFault) -> ArraySlice<UInt8>? {
        guard let line = input.takeLine() else {
            // One byte more than the limit may be the carriage return whose line feed is still to come.
            guard input.count <= limit + 1 else { throw tooLong }
            return nil
        }
        guard line.count <= limit + 2 else { throw tooLong }
        guard line.dropLast().last != .carriageReturn else { return line.dropLast(2) }
        guard role == .client else { throw .malformed("a line ends without a carriage return") }
        return line.dropLast()
    }
}

extension ArraySlice<UInt8> {
    /// Returns what a closure parses of these bytes.
    @inline(__always)
    fileprivate func parsed<Value>(_ parse: (UnsafeRawBufferPointer) throws(MessageFault) -> Value) throws(MessageFault) -> Value {
        try withUnsafeBytes { bytes in Result { () throws(MessageFault) in try parse(bytes) } }.get()
    }
}
