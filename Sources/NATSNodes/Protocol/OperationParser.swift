import Foundation

/// Parses what a server sends, incrementally, from bytes that are split anywhere.
///
/// A value type: a copy continues from the state of the original. After an error it must not be used again.
struct OperationParser: Sendable {
    /// The largest line and the largest message that are accepted, in bytes.
    struct Limits: Sendable {
        var line = 64 * 1024
        var message = 64 * 1024 * 1024
    }

    let limits: Limits
    /// The beginning of an operation that is not complete.
    private var rest: [UInt8] = []
    /// The length of the operation in `rest`, once its line is complete; 0 before.
    private var length = 0
    private var subjects = LatestTexts()

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether all bytes belonged to complete operations.
    var isAtBoundary: Bool { rest.isEmpty }

    /// Consumes the next bytes, and passes on the operations that they complete, in order.
    ///
    /// Complexity: linear in the bytes.
    mutating func consume(_ bytes: Data, _ receive: (consuming ServerOperation) -> Void) throws(NATSProtocolError) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(NATSProtocolError) in
                let start = try complete(with: buffer, receive)
                try parse(buffer.part(start, buffer.count), receive)
            }
        }.get()
    }

    /// Completes the operation that earlier bytes began, and returns how many of these belong to it.
    private mutating func complete(
        with buffer: UnsafeRawBufferPointer, _ receive: (consuming ServerOperation) -> Void
    ) throws(NATSProtocolError) -> Int {
        var position = 0
        while !rest.isEmpty, position < buffer.count {
            let new = buffer.part(position, buffer.count)
            let end = length > 0 ? length - rest.count : new.lineEnd(limit: new.count).map { $0 + 1 } ?? new.count
            let taken = min(end, new.count)
            rest.append(contentsOf: new.part(0, taken))
            position += taken
            guard rest.count >= length else { break }
            var whole: [UInt8] = []
            swap(&whole, &rest)
            let isComplete = try whole.withUnsafeBytes { bytes in
                Result { () throws(NATSProtocolError) in try parseOperation(bytes, receive) != nil }
            }.get()
            if !isComplete { rest = whole }
        }
        return position
    }

    private mutating func parse(
        _ buffer: UnsafeRawBufferPointer, _ receive: (consuming ServerOperation) -> Void
    ) throws(NATSProtocolError) {
        var position = 0
        while position < buffer.count {
            let bytes = buffer.part(position, buffer.count)
            guard let length = try parseOperation(bytes, receive) else { return rest = Array(bytes) }
            position += length
        }
    }

    /// - Returns: the length of the operation; `nil` if it is not complete.
    private mutating func parseOperation(
        _ buffer: UnsafeRawBufferPointer, _ receive: (consuming ServerOperation) -> Void
    ) throws(NATSProtocolError) -> Int? {
        guard let end = buffer.lineEnd(limit: limits.line) else {
            guard buffer.count <= limits.line else { throw .lineTooLong(limit: limits.line) }
            length = 0
            return nil
        }
        var line = LineFields(buffer, end: end > 0 && buffer[end - 1] == 0x0D ? end - 1 : end)
        switch line.operation {
        case .message: return try parseMessage(&line, buffer, body: end + 1, hasHeaders: false, receive)
        case .messageWithHeaders: return try parseMessage(&line, buffer, body: end + 1, hasHeaders: true, receive)
        case .ping: receive(.ping)
        case .pong: receive(.pong)
        case .ok: receive(.ok)
        case .info: receive(.info(try ServerInfo.parse(line.rest)))
        case .error: receive(.error(line.rest.errorText))
        case nil: throw .unknownOperation(line.beginning)
        }
        return end + 1
    }

    private mutating func parseMessage(
        _ line: inout LineFields, _ buffer: UnsafeRawBufferPointer, body: Int, hasHeaders: Bool,
        _ receive: (consuming ServerOperation) -> Void
    ) throws(NATSProtocolError) -> Int? {
        guard let subject = line.first(), let subscription = line.first().flatMap({ line.number($0) }),
            let size = line.last().flatMap({ line.number($0) }), let headerSize = hasHeaders ? line.last().flatMap({ line.number($0) }) : 0,
            headerSize <= size
        else { throw .malformedLine(line.beginning) }
        guard size <= limits.message else { throw .messageTooLong(announced: size, limit: limits.message) }
        let reply = line.first()
        guard line.first() == nil else { throw .malformedLine(line.beginning) }
        let end = body + size
        guard end + 2 <= buffer.count else {
            length = end + 2
            return nil
        }
        guard buffer[end] == 0x0D, buffer[end + 1] == 0x0A else { throw .wrongPayloadLength(announced: size) }
        let headers = hasHeaders ? try NATSHeaders(parsing: buffer.part(body, body + headerSize)) : nil
        receive(
            .message(
                ReceivedMessage(
                    subscription: subscription, subject: subjects.text(line.bytes(subject)),
                    reply: reply.map { String(decoding: line.bytes($0), as: UTF8.self) }, headers: headers,
                    payload: buffer.part(body + headerSize, end).data)))
        return end + 2
    }
}
