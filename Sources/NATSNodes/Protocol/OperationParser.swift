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
    /// The fewest bytes that the operation in `rest` has.
    private var needed = 0
    private var subjects = LatestText()

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether all bytes belonged to complete operations.
    var isAtBoundary: Bool { rest.isEmpty }

    /// Consumes the next bytes, and passes on the operations that they complete, in order.
    ///
    /// Complexity: linear in the bytes.
    mutating func consume(_ bytes: Data, _ receive: (consuming ServerOperation) -> Void) throws(NATSProtocolError) {
        guard rest.isEmpty else {
            rest.append(contentsOf: bytes)
            guard rest.count >= needed else { return }
            let whole = rest
            rest = []
            return try whole.withUnsafeBytes { buffer in parse(buffer, receive) }.get()
        }
        try bytes.withUnsafeBytes { buffer in parse(buffer, receive) }.get()
    }

    private mutating func parse(
        _ buffer: UnsafeRawBufferPointer, _ receive: (consuming ServerOperation) -> Void
    ) -> Result<Void, NATSProtocolError> {
        var position = 0
        while position < buffer.count {
            do {
                let length = try parseOperation(UnsafeRawBufferPointer(rebasing: buffer[position...]), receive)
                guard let length else {
                    rest = Array(buffer[position...])
                    return .success(())
                }
                position += length
            } catch { return .failure(error) }
        }
        return .success(())
    }

    /// - Returns: the length of the operation; `nil` if it is not complete.
    private mutating func parseOperation(
        _ buffer: UnsafeRawBufferPointer, _ receive: (consuming ServerOperation) -> Void
    ) throws(NATSProtocolError) -> Int? {
        guard let end = buffer.lineEnd(limit: limits.line) else {
            guard buffer.count <= limits.line else { throw .lineTooLong(limit: limits.line) }
            needed = buffer.count + 1
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
            needed = end + 2
            return nil
        }
        guard buffer[end] == 0x0D, buffer[end + 1] == 0x0A else { throw .wrongPayloadLength(announced: size) }
        let headers = hasHeaders ? try NATSHeaders(parsing: buffer.part(body, body + headerSize)) : nil
        receive(
            .message(
                ReceivedMessage(
                    subscription: subscription, subject: subjects.text(line.bytes(subject)),
                    reply: reply.map { String(decoding: line.bytes($0), as: UTF8.self) }, headers: headers,
                    payload: Data(buffer.part(body + headerSize, end)))))
        return end + 2
    }
}

/// The text made last: most messages of a connection have the subject of the one before, and need no text of their own.
private struct LatestText: Sendable {
    private var text = ""
    private var bytes: [UInt8] = []

    mutating func text(_ new: UnsafeRawBufferPointer) -> String {
        let isSame = bytes.withUnsafeBytes { old in old.count == new.count && old.elementsEqual(new) }
        guard !isSame else { return text }
        bytes = Array(new)
        text = String(decoding: new, as: UTF8.self)
        return text
    }
}
