internal import Bytes
import Foundation

/// The fields of one line, taken from its beginning and its end. They are valid as long as the bytes are.
struct LineFields {
    /// The operation with which a line begins.
    enum Operation {
        case message
        case messageWithHeaders
        case info
        case ping
        case pong
        case ok
        case error
    }

    private let buffer: UnsafeRawBufferPointer
    private let lineEnd: Int
    private var start = 0
    private var end: Int

    /// - Parameter end: the position of the line's terminator.
    init(_ buffer: UnsafeRawBufferPointer, end: Int) {
        self.buffer = buffer
        lineEnd = end
        self.end = end
    }

    /// Takes the operation; upper and lower case are equal.
    mutating func operation() -> Operation? {
        guard let name = first(), name.count <= 4 else { return nil }
        var word: UInt32 = 0
        for byte in bytes(name) { word = word << 8 | UInt32(byte & 0xDF) }
        switch word {
        case 0x4D5347: return .message
        case 0x484D_5347: return .messageWithHeaders
        case 0x5049_4E47: return isAtEnd ? .ping : nil
        case 0x504F_4E47: return isAtEnd ? .pong : nil
        case 0x494E_464F: return .info
        // The sign of `+OK` and `-ERR` is masked like a lowercase letter.
        case 0x0B4F4B where buffer[name.lowerBound] == 0x2B: return .ok
        case 0x0D45_5252 where buffer[name.lowerBound] == 0x2D: return .error
        default: return nil
        }
    }

    private var isAtEnd: Bool { rest.isEmpty }

    /// The part of the line that has not been taken, without blanks around it.
    var rest: UnsafeRawBufferPointer { buffer.part(start, end).withoutBlanks }

    /// The beginning of the line, for an error message.
    var beginning: String { String(decoding: buffer.part(0, min(lineEnd, 64)), as: UTF8.self).printableBeginning }

    /// Takes the next field from the beginning.
    mutating func first() -> Range<Int>? {
        while start < end, buffer[start].isBlank { start += 1 }
        guard start < end else { return nil }
        let from = start
        while start < end, !buffer[start].isBlank { start += 1 }
        return from..<start
    }

    /// Takes the last field from the end.
    mutating func last() -> Range<Int>? {
        while start < end, buffer[end - 1].isBlank { end -= 1 }
        guard start < end else { return nil }
        let to = end
        while start < end, !buffer[end - 1].isBlank { end -= 1 }
        return end..<to
    }

    func bytes(_ field: Range<Int>) -> UnsafeRawBufferPointer {
        buffer.part(field.lowerBound, field.upperBound)
    }

    /// Returns the number in a field of at most 18 decimal digits.
    func number(_ field: Range<Int>) -> Int? {
        guard field.count <= 18 else { return nil }
        var number = 0
        for byte in bytes(field) {
            guard byte.isDigit else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }
}

extension UnsafeRawBufferPointer {
    /// A copy of the bytes.
    var data: Data { baseAddress.map { Data(bytes: $0, count: count) } ?? Data() }

    /// Returns the position of the line feed, after at most `limit` bytes.
    func lineEnd(limit: Int) -> Int? {
        guard let base = baseAddress, let found = memchr(base, 0x0A, Swift.min(count, limit + 1)) else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// The text of an error, which the server quotes.
    fileprivate var unquoted: Self {
        guard count >= 2, first == 0x27, last == 0x27 else { return self }
        return part(1, count - 1)
    }

    var errorText: String { String(decoding: unquoted, as: UTF8.self).printableBeginning }
}

extension String {
    /// The first characters, without control characters: text from outside for an error message.
    var printableBeginning: String {
        let limit = 200
        let printable = unicodeScalars.lazy.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        var text = ""
        text.unicodeScalars.append(contentsOf: printable.prefix(limit))
        return unicodeScalars.count > limit ? text + "…" : text
    }
}
