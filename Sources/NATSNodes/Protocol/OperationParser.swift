import Foundation

/// Parses the bytes of a server incrementally, however they are split.
///
/// The parser is a value: a copy continues from the state of the original. After an error it must not be used again.
struct OperationParser: Sendable {
    /// The largest line and the largest message that are accepted, in bytes.
    struct Limits: Sendable {
        var line = 64 * 1024
        var message = 64 * 1024 * 1024
    }

    let limits: Limits
    /// The beginning of an operation that is not complete.
    private var rest: [UInt8] = []
    /// The length of the operation in `rest`, once its line is complete; 0 earlier.
    private var length = 0
    private var subjects = LatestTexts()
    /// The latest error in headers since it was last taken. Any publisher can cause one, so the message is delivered without headers.
    var malformedHeaders: NATSError.ProtocolViolation?

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether all bytes belonged to complete operations.
    var isAtBoundary: Bool { rest.isEmpty }

    /// Consumes the next bytes, and passes on the operations that they complete, in order.
    ///
    /// Complexity: linear in the bytes.
    @inline(__always)
    mutating func consume(_ bytes: Data, _ receive: (consuming ServerOperation) -> Void) throws(NATSError.ProtocolViolation) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(NATSError.ProtocolViolation) in
                var position = 0
                while let operation = try next(in: buffer, from: &position) { receive(operation) }
            }
        }.get()
    }

    /// Returns the next operation, and moves `position` behind it; `nil` at the end of the buffer.
    private mutating func next(in buffer: UnsafeRawBufferPointer, from position: inout Int) throws(NATSError.ProtocolViolation)
        -> ServerOperation?
    {
        if !rest.isEmpty, let operation = try complete(with: buffer, from: &position) { return operation }
        guard position < buffer.count else { return nil }
        let bytes = buffer.part(position, buffer.count)
        var size = 0
        guard let operation = try parse(bytes, size: &size) else {
            rest = Array(bytes)
            position = buffer.count
            return nil
        }
        position += size
        return operation
    }

    /// Completes the operation that earlier bytes began; returns `nil` if these bytes are not enough.
    private mutating func complete(
        with buffer: UnsafeRawBufferPointer, from position: inout Int
    ) throws(NATSError.ProtocolViolation) -> ServerOperation? {
        while position < buffer.count {
            let new = buffer.part(position, buffer.count)
            let end = length > 0 ? length - rest.count : new.lineEnd(limit: new.count).map { $0 + 1 } ?? new.count
            let taken = min(end, new.count)
            rest.append(contentsOf: new.part(0, taken))
            position += taken
            guard rest.count >= length else { return nil }
            var whole: [UInt8] = []
            swap(&whole, &rest)
            let operation = try whole.withUnsafeBytes { bytes in
                Result { () throws(NATSError.ProtocolViolation) in
                    var size = 0
                    return try parse(bytes, size: &size)
                }
            }.get()
            if let operation { return operation }
            rest = whole
        }
        return nil
    }

    /// Returns the operation at the beginning and its size; `nil` if it is not complete.
    private mutating func parse(_ buffer: UnsafeRawBufferPointer, size: inout Int) throws(NATSError.ProtocolViolation) -> ServerOperation? {
        guard let end = buffer.lineEnd(limit: limits.line) else {
            guard buffer.count <= limits.line else { throw .lineTooLong(limit: limits.line) }
            length = 0
            return nil
        }
        var line = LineFields(buffer, end: end > 0 && buffer[end - 1] == 0x0D ? end - 1 : end)
        size = end + 1
        switch line.operation() {
        case .message: return try parseMessage(&line, buffer, hasHeaders: false, end: &size)
        case .messageWithHeaders: return try parseMessage(&line, buffer, hasHeaders: true, end: &size)
        case .ping: return .ping
        case .pong: return .pong
        case .ok: return .ok
        case .info: return .info(try NATSConnection.ServerInfo.parse(line.rest))
        case .error: return .error(line.rest.errorText)
        case nil: throw .unknownOperation(line.beginning)
        }
    }

    /// - Parameter position: the end of the line, and later that of the message.
    private mutating func parseMessage(
        _ line: inout LineFields, _ buffer: UnsafeRawBufferPointer, hasHeaders: Bool, end position: inout Int
    ) throws(NATSError.ProtocolViolation) -> ServerOperation? {
        guard let subject = line.first(), let subscription = line.first().flatMap({ line.number($0) }),
            let size = line.last().flatMap({ line.number($0) }), let headerSize = hasHeaders ? line.last().flatMap({ line.number($0) }) : 0,
            headerSize <= size
        else { throw .malformedLine(line.beginning) }
        guard size <= limits.message else { throw .messageTooLong(announced: size, limit: limits.message) }
        let reply = line.first()
        guard line.first() == nil else { throw .malformedLine(line.beginning) }
        let body = position
        let end = body + size
        guard end + 2 <= buffer.count else {
            length = end + 2
            return nil
        }
        guard buffer[end] == 0x0D, buffer[end + 1] == 0x0A else { throw .wrongPayloadLength(announced: size) }
        position = end + 2
        return .message(
            NATSMessage(
                subject: subjects.intern(line.bytes(subject)), body: buffer.part(body + headerSize, end).data,
                reply: reply.map { String(decoding: line.bytes($0), as: UTF8.self) },
                headers: hasHeaders ? parseHeaders(in: buffer.part(body, body + headerSize)) : NATSHeaders()),
            subscription: subscription)
    }

    private mutating func parseHeaders(in block: UnsafeRawBufferPointer) -> NATSHeaders {
        do throws(NATSError.ProtocolViolation) { return try NATSHeaders(parsing: block) } catch {
            malformedHeaders = error
            return NATSHeaders()
        }
    }
}

/// One operation of a server.
enum ServerOperation: Sendable, Equatable {
    indirect case info(NATSConnection.ServerInfo)
    /// A message, for the subscription with this number.
    case message(NATSMessage<Data>, subscription: Int)
    case ping
    case pong
    case ok
    /// The server's description of its error.
    case error(String)
}

/// The latest texts: most subjects of a connection are among the previous ones, and need no memory of their own.
///
/// A short text needs no memory anyway, and a very long one is not kept.
private struct LatestTexts: Sendable {
    private static let kept = 16...128
    private static let slotCount = 256

    private var slots: [String] = []

    mutating func intern(_ bytes: UnsafeRawBufferPointer) -> String {
        guard Self.kept.contains(bytes.count) else { return String(decoding: bytes, as: UTF8.self) }
        if slots.isEmpty { slots = Array(repeating: "", count: Self.slotCount) }
        let slot = Self.slot(of: bytes)
        if slots[slot].isEqual(to: bytes) { return slots[slot] }
        let text = String(decoding: bytes, as: UTF8.self)
        slots[slot] = text
        return text
    }

    /// Computes the slot from the length and both ends, where subjects differ.
    private static func slot(of bytes: UnsafeRawBufferPointer) -> Int {
        let first = bytes.loadUnaligned(as: UInt64.self)
        let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        let mixed = (first &+ last &* 31 &+ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed >> 56)
    }
}

extension String {
    fileprivate func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
        utf8.withContiguousStorageIfAvailable { own in
            guard own.count == bytes.count, let start = own.baseAddress, let other = bytes.baseAddress else { return false }
            return memcmp(start, other, own.count) == 0
        } ?? false
    }
}
