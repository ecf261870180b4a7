import Foundation

/// The frames of a WebSocket on the wire.
///
/// Source: [RFC 6455, 5.2](https://www.rfc-editor.org/rfc/rfc6455#section-5.2).
package enum WebSocketFrame {
    /// The kind of a frame.
    package enum Opcode: UInt8, Sendable {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xA

        var isControl: Bool { rawValue >= 0x8 }
    }

    /// The header of a frame, which precedes the payload.
    struct Header: Sendable, Equatable {
        let isFinal: Bool
        let reserved: UInt8
        /// The kind of the frame; `nil` if it is not known.
        let opcode: Opcode?
        /// The key in memory order.
        let mask: UInt32?
        let length: Int
        let hasShortestLength: Bool

        /// Parses a header; returns `nil` if it is incomplete. A length of 2^63 and more is clamped: no message is so long.
        static func parse(_ bytes: UnsafeRawBufferPointer) -> (Header, size: Int)? {
            guard bytes.count >= 2 else { return nil }
            let short = Int(bytes[1] & 0x7F)
            let lengthSize = short < 126 ? 0 : short == 126 ? 2 : 8
            let isMasked = bytes[1] & 0x80 != 0
            let size = 2 + lengthSize + (isMasked ? 4 : 0)
            guard bytes.count >= size else { return nil }
            let long = bytes[2..<(2 + lengthSize)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let header = Header(
                isFinal: bytes[0] & 0x80 != 0, reserved: bytes[0] & 0x70, opcode: Opcode(rawValue: bytes[0] & 0x0F),
                mask: isMasked ? bytes.loadUnaligned(fromByteOffset: size - 4, as: UInt32.self) : nil,
                length: lengthSize == 0 ? short : Int(clamping: long),
                hasShortestLength: lengthSize == 0 || (lengthSize == 2 ? long > 125 : long > 65_535 && long <= UInt64(Int64.max)))
            return (header, size)
        }
    }

    /// Appends a frame.
    ///
    /// - Parameter mask: the key of a client's frame; `nil` for a server's.
    package static func append(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool = true, mask: UInt32?, to buffer: inout [UInt8]
    ) {
        buffer.reserveCapacity(buffer.count + 14 + payload.count)
        buffer.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ...125: buffer.append(maskBit | UInt8(payload.count))
        case ...65_535:
            buffer.append(maskBit | 126)
            withUnsafeBytes(of: UInt16(payload.count).bigEndian) { buffer.append(contentsOf: $0) }
        default:
            buffer.append(maskBit | 127)
            withUnsafeBytes(of: UInt64(payload.count).bigEndian) { buffer.append(contentsOf: $0) }
        }
        if let mask { withUnsafeBytes(of: mask) { buffer.append(contentsOf: $0) } }
        let start = buffer.count
        buffer.append(contentsOf: payload)
        guard let mask else { return }
        buffer.withUnsafeMutableBytes { applyMask(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), offset: 0) }
    }

    /// Returns a complete frame.
    package static func bytes(_ opcode: Opcode, _ payload: some Sequence<UInt8>, isFinal: Bool = true, mask: UInt32? = nil) -> [UInt8] {
        var buffer: [UInt8] = []
        Array(payload).withUnsafeBytes { append(opcode, $0, isFinal: isFinal, mask: mask, to: &buffer) }
        return buffer
    }

    /// Returns a message in one frame.
    package static func bytes(_ message: WebSocketMessage, mask: UInt32? = nil) -> [UInt8] {
        var buffer: [UInt8] = []
        switch message {
        case .text(var text): text.withUTF8 { append(.text, UnsafeRawBufferPointer($0), mask: mask, to: &buffer) }
        case .binary(let data): data.withUnsafeBytes { append(.binary, $0, mask: mask, to: &buffer) }
        }
        return buffer
    }

    /// Returns a close frame; it leaves out a code that must not be sent, and a reason beyond 123 bytes.
    package static func close(_ code: WebSocketMessage.CloseCode, reason: String = "", mask: UInt32? = nil) -> [UInt8] {
        guard code.isSendable else { return bytes(.close, [], mask: mask) }
        var end = reason.endIndex
        while reason[..<end].utf8.count > 123 { end = reason.index(before: end) }
        return bytes(.close, [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(reason[..<end].utf8), mask: mask)
    }

    /// Masks or unmasks bytes, eight at a time; the two operations are the same.
    ///
    /// - Parameter offset: the position of the first byte in the payload.
    package static func applyMask(_ mask: UInt32, to bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        // The key is rotated so that it begins with the byte for the first position, in memory order.
        let shift = UInt32(offset % 4) * 8
        let key = UInt32(littleEndian: mask)
        let rotated = shift == 0 ? key : key >> shift | key << (32 - shift)
        let wide = UInt64(rotated) | UInt64(rotated) << 32
        var position = 0
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) ^ wide
            bytes.storeBytes(of: word.littleEndian, toByteOffset: position, as: UInt64.self)
            position += 8
        }
        while position < bytes.count {
            bytes[position] ^= UInt8(truncatingIfNeeded: rotated >> (UInt32(position % 4) * 8))
            position += 1
        }
    }
}
