internal import Bytes
import WebSocketFrames

/// The line before a chunk: its size in hexadecimal digits, and extensions, whose form is checked and which are ignored.
///
/// Source: [RFC 9112, 7.1](https://www.rfc-editor.org/rfc/rfc9112#section-7.1).
enum ChunkLine {
    /// Returns the size in `1A;name="value"`.
    static func size(_ line: ArraySlice<UInt8>) throws(RequestFailure) -> Int {
        let digits = line.prefix { $0.hexadecimalValue != nil }
        guard (1...15).contains(digits.count) else { throw .malformed("A chunk's size is not a hexadecimal number.") }
        var rest = line[digits.endIndex...]
        while !rest.isEmpty {
            guard takeExtension(from: &rest) else { throw .malformed("A chunk's size is followed by something else.") }
        }
        return digits.reduce(0) { $0 << 4 | ($1.hexadecimalValue ?? 0) }
    }

    /// Takes `;name`, `;name=value` or `;name="value"`; returns whether there is one. Blanks may stand before and after each sign.
    private static func takeExtension(from rest: inout ArraySlice<UInt8>) -> Bool {
        guard takeSign(UInt8(ascii: ";"), from: &rest), takeToken(from: &rest) else { return false }
        guard takeSign(UInt8(ascii: "="), from: &rest) else { return true }
        return rest.first == UInt8(ascii: "\"") ? takeQuoted(from: &rest) : takeToken(from: &rest)
    }

    /// Takes a sign with the blanks around it, or nothing.
    private static func takeSign(_ sign: UInt8, from rest: inout ArraySlice<UInt8>) -> Bool {
        let found = rest.drop(while: \.isBlank)
        guard found.first == sign else { return false }
        rest = found.dropFirst().drop(while: \.isBlank)
        return true
    }

    private static func takeToken(from rest: inout ArraySlice<UInt8>) -> Bool {
        let start = rest.startIndex
        rest = rest.drop(while: isTokenByte)
        return rest.startIndex > start
    }

    private static func takeQuoted(from rest: inout ArraySlice<UInt8>) -> Bool {
        rest.removeFirst()
        while let byte = rest.popFirst(), byte.isFieldValueCharacter {
            if byte == UInt8(ascii: "\"") { return true }
            guard byte != UInt8(ascii: "\\") || rest.popFirst()?.isFieldValueCharacter == true else { return false }
        }
        return false
    }
}
