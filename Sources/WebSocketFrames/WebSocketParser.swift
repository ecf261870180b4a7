import Foundation

/// The input of a peer: complete messages, and control frames.
package enum WebSocketEvent: Sendable, Equatable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    /// The peer closes; no event follows.
    case close(WebSocketMessage.CloseCode, reason: String)
}

/// A violation of the protocol, and the code with which to close.
package struct WebSocketViolation: Error, Sendable, Equatable {
    package let code: WebSocketMessage.CloseCode
    package let reason: String
}

/// Parses the bytes of one direction of a WebSocket into messages and control frames, however they are split.
///
/// The parser is a value without I/O. Every split of the same bytes produces the same events. It buffers the incomplete message, at most
/// `maximumMessageSize` bytes, whatever length a frame announces. The headers of its fragments count too, so that endless empty fragments
/// reach the limit. After a violation it stays failed, and after a close frame it ignores everything.
///
/// Source: [RFC 6455, 5](https://www.rfc-editor.org/rfc/rfc6455#section-5).
package struct WebSocketParser: Sendable {
    private enum Phase: Sendable {
        case header
        case payload(WebSocketFrame.Header, remaining: Int)
        case closed
        case failed(WebSocketViolation)
    }

    private let isServer: Bool
    private let maximumMessageSize: Int
    private var phase = Phase.header
    /// The beginning of an incomplete header.
    private var header: [UInt8] = []
    /// The payload of the control frame being received.
    private var control: [UInt8] = []
    /// The fragments of the message being received, and the kind of the first.
    private var message: [UInt8] = []
    private var kind: WebSocketFrame.Opcode?
    /// The number of bytes that count against the limit.
    private var size = 0

    /// - Parameters:
    ///   - isServer: whether the peer is a client, whose frames must be masked.
    ///   - maximumMessageSize: the maximum size of a message, in bytes.
    package init(isServer: Bool, maximumMessageSize: Int) {
        self.isServer = isServer
        self.maximumMessageSize = max(1, maximumMessageSize)
    }

    /// Consumes bytes and appends the events that they complete. Returns the first violation; the events before it have been appended.
    package mutating func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [WebSocketEvent]) -> WebSocketViolation? {
        var rest = bytes[...]
        do throws(WebSocketViolation) {
            while try advance(&rest, &events) {}
            return nil
        } catch {
            phase = .failed(error)
            (message, control, header) = ([], [], [])
            return error
        }
    }

    /// Performs one step, and returns whether another is possible.
    private mutating func advance(
        _ rest: inout Slice<UnsafeRawBufferPointer>, _ events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) -> Bool {
        switch phase {
        case .failed(let violation): throw violation
        case .closed: return false
        case .header:
            guard let next = takeHeader(&rest) else { return false }
            try check(next)
            phase = .payload(next, remaining: next.length)
        case .payload(let frame, let remaining):
            guard remaining > 0 else {
                phase = .header
                try end(frame, &events)
                return true
            }
            guard !rest.isEmpty else { return false }
            let piece = rest.prefix(remaining)
            rest = rest.dropFirst(piece.count)
            if try receiveWhole(frame, piece, &events) { return true }
            append(piece, of: frame, from: frame.length - remaining)
            phase = .payload(frame, remaining: remaining - piece.count)
        }
        return true
    }

    private mutating func takeHeader(_ rest: inout Slice<UnsafeRawBufferPointer>) -> WebSocketFrame.Header? {
        if header.isEmpty, let (next, size) = WebSocketFrame.Header.parse(UnsafeRawBufferPointer(rebasing: rest)) {
            rest = rest.dropFirst(size)
            return next
        }
        while let byte = rest.first {
            header.append(byte)
            rest = rest.dropFirst()
            guard let (next, _) = header.withUnsafeBytes({ WebSocketFrame.Header.parse($0) }) else { continue }
            header.removeAll(keepingCapacity: true)
            return next
        }
        return nil
    }

    private mutating func check(_ frame: WebSocketFrame.Header) throws(WebSocketViolation) {
        guard frame.reserved == 0 else { throw .protocolError("a reserved bit is set") }
        guard let opcode = frame.opcode else { throw .protocolError("the opcode is not known") }
        guard (frame.mask != nil) == isServer else {
            throw .protocolError(isServer ? "a frame of a client is not masked" : "a frame of a server is masked")
        }
        guard frame.hasShortestLength else { throw .protocolError("the length is not in its shortest form") }
        if opcode.isControl {
            guard frame.isFinal else { throw .protocolError("a control frame is fragmented") }
            guard frame.length <= 125 else { throw .protocolError("a control frame is longer than 125 bytes") }
            return
        }
        guard (opcode == .continuation) == (kind != nil) else {
            throw .protocolError(kind == nil ? "a fragment continues no message" : "a message begins inside another")
        }
        let isWhole = kind == nil && frame.isFinal
        size += isWhole ? 0 : 2
        guard frame.length <= maximumMessageSize - size else {
            throw WebSocketViolation(code: .messageTooLarge, reason: "a message is larger than \(maximumMessageSize) bytes")
        }
        size += frame.length
        kind = kind ?? opcode
    }

    /// Takes a message that is completely present in one frame, without buffering it.
    private mutating func receiveWhole(
        _ frame: WebSocketFrame.Header, _ piece: Slice<UnsafeRawBufferPointer>, _ events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) -> Bool {
        guard piece.count == frame.length, frame.isFinal, frame.mask == nil, let kind, frame.opcode == kind else { return false }
        phase = .header
        events.append(.message(try Self.message(kind, UnsafeRawBufferPointer(rebasing: piece)).get()))
        (self.kind, size) = (nil, 0)
        return true
    }

    private mutating func append(_ piece: Slice<UnsafeRawBufferPointer>, of frame: WebSocketFrame.Header, from offset: Int) {
        let bytes = UnsafeRawBufferPointer(rebasing: piece)
        if frame.opcode?.isControl == true {
            Self.append(bytes, to: &control, frame.mask, offset)
        } else {
            Self.append(bytes, to: &message, frame.mask, offset)
        }
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to buffer: inout [UInt8], _ mask: UInt32?, _ offset: Int) {
        let start = buffer.count
        buffer.append(contentsOf: bytes)
        guard let mask else { return }
        buffer.withUnsafeMutableBytes {
            WebSocketFrame.applyMask(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), offset: offset)
        }
    }

    private mutating func end(_ frame: WebSocketFrame.Header, _ events: inout [WebSocketEvent]) throws(WebSocketViolation) {
        if frame.opcode?.isControl == true {
            defer { control = [] }
            switch frame.opcode {
            case .ping: events.append(.ping(control))
            case .pong: events.append(.pong(control))
            default:
                events.append(try Self.close(control))
                phase = .closed
            }
            return
        }
        guard frame.isFinal, let kind else { return }
        events.append(.message(try message.withUnsafeBytes { Self.message(kind, $0) }.get()))
        // The memory of one large message is not kept for small ones.
        if message.capacity > 64 * 1024 { message = [] } else { message.removeAll(keepingCapacity: true) }
        (self.kind, size) = (nil, 0)
    }

    private static func message(
        _ kind: WebSocketFrame.Opcode, _ bytes: UnsafeRawBufferPointer
    ) -> Result<WebSocketMessage, WebSocketViolation> {
        kind == .text ? text(bytes, "a text").map { .text($0) } : .success(.binary(Data(bytes)))
    }

    private static func text(_ bytes: UnsafeRawBufferPointer, _ what: String) -> Result<String, WebSocketViolation> {
        guard let text = String(validating: bytes.bindMemory(to: UInt8.self), as: UTF8.self) else {
            return .failure(WebSocketViolation(code: .invalidPayload, reason: "\(what) is not UTF-8"))
        }
        return .success(text)
    }

    private static func close(_ payload: [UInt8]) throws(WebSocketViolation) -> WebSocketEvent {
        guard !payload.isEmpty else { return .close(.noCode, reason: "") }
        guard payload.count >= 2 else { throw .protocolError("a close frame has half a code") }
        let code = WebSocketMessage.CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isSendable else { throw .protocolError("the close code \(code) must not be sent") }
        let reason = payload.withUnsafeBytes { text(UnsafeRawBufferPointer(rebasing: $0[2...]), "a reason") }
        return .close(code, reason: try reason.get())
    }
}

extension WebSocketViolation {
    fileprivate static func protocolError(_ reason: String) -> WebSocketViolation {
        WebSocketViolation(code: .protocolError, reason: reason)
    }
}
