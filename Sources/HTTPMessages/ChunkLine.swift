internal import Bytes

/// The line before a chunk: its size in hexadecimal digits, and extensions, whose form is checked and which are ignored.
///
/// Source: [RFC 9112, 7.1](https://www.rfc-editor.org/rfc/rfc9112#section-7.1).
enum ChunkLine {
    /// Returns the size in `1A;name="value"`.
    static func size(_ line: UnsafeRawBufferPointer) throws(MessageFault) -> Int {
        var (size, digits) = (0, 0)
        while digits < line.count, let value = line[digits].hexadecimalValue {
            digits += 1
            guard digits < 16 else { break }
            size = size << 4 | value
        }
        guard (1..<16).contains(digits) else { throw .malformed("a chunk size is not a number") }
        guard digits < line.count else { return size }
        var rest = line[digits...]
        while !rest.isEmpty {
            guard takeExtension(from: &rest) else { throw .malformed("a chunk size is followed by something else") }
        }
        return size
    }

    /// Takes `;name`, `;name=value` or `;name="value"`; returns whether there is one. Blanks may stand before and after each sign.
    private static func takeExtension(from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        guard takeSign(UInt8(ascii: ";"), from: &rest), takeToken(from: &rest) else { return false }
        guard takeSign(UInt8(ascii: "="), from: &rest) else { return true }
        return rest.first == UInt8(ascii: "\"") ? takeQuoted(from: &rest) : takeToken(from: &rest)
    }

    /// Takes a sign with the blanks around it, or nothing.
    private static func takeSign(_ sign: UInt8, from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let found = rest.drop { $0.isBlank }
        guard found.first == sign else { return false }
        rest = found.dropFirst().drop { $0.isBlank }
        return true
    }

    private static func takeToken(from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let start = rest.startIndex
        rest = rest.drop(while: isTokenByte)
        return rest.startIndex > start
    }

    private static func takeQuoted(from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        rest.removeFirst()
        while let byte = rest.popFirst(), byte.isFieldValueByte {
            if byte == UInt8(ascii: "\"") { return true }
            guard byte != UInt8(ascii: "\\") || rest.popFirst()?.isFieldValueByte == true else { return false }
        }
        return false
    }
}
