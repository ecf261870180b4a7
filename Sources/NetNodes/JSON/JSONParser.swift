internal import Bytes
public import Foundation

extension JSON {
    /// The position of a syntax error in JSON text, and the reason.
    public struct SyntaxError: Error, Equatable, Sendable, LocalizedError, CustomStringConvertible {
        /// The reason: the expected text, or the mistake.
        public let reason: String
        /// The line, counted from 1.
        public let line: Int
        /// The column, counted from 1 in bytes.
        public let column: Int
        /// The number of bytes before the position.
        public let offset: Int
        /// The text around the position, truncated.
        public let excerpt: String

        public var description: String { "Not valid JSON at line \(line), column \(column): \(reason), near \"\(excerpt)\"." }
        public var errorDescription: String? { description }
    }
}

extension JSON {
    /// Parses a complete text as one value, which may be a scalar.
    ///
    /// Complexity: O(n). Nesting deeper than 500 levels is an error, not a crash.
    public init(parsing data: Data) throws(SyntaxError) {
        let result: Result<JSON, SyntaxError> = data.withUnsafeBytes { bytes in
            var parser = JSONParser(bytes: bytes)
            return Result { () throws(SyntaxError) in try parser.parseDocument() }
        }
        self = try result.get()
    }

    /// Parses a complete text as one value.
    public init(parsing text: String) throws(SyntaxError) {
        try self.init(parsing: Data(text.utf8))
    }
}

private struct JSONParser {
    private static let deepestNesting = 500

    let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var depth = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func parseDocument() throws(JSON.SyntaxError) -> JSON {
        let value = try parseValue()
        skipBlanks()
        guard position == bytes.count else { throw error("unexpected text after the value") }
        return value
    }

    private mutating func parseValue() throws(JSON.SyntaxError) -> JSON {
        skipBlanks()
        guard let byte = current else { throw error("value expected") }
        switch byte {
        case UInt8(ascii: "{"): return try parseNested { parser throws(JSON.SyntaxError) in try parser.parseObject() }
        case UInt8(ascii: "["): return try parseNested { parser throws(JSON.SyntaxError) in try parser.parseArray() }
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        default: throw error("unexpected character")
        }
    }

    private mutating func parseNested(_ parse: (inout JSONParser) throws(JSON.SyntaxError) -> JSON) throws(JSON.SyntaxError) -> JSON {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepestNesting else { throw error("nested too deeply") }
        position += 1
        return try parse(&self)
    }

    private mutating func parseObject() throws(JSON.SyntaxError) -> JSON {
        var members = JSON.Object()
        skipBlanks()
        if take("}") { return .object(members) }
        while true {
            skipBlanks()
            guard current == UInt8(ascii: "\"") else { throw error("member name expected") }
            let key = try parseString()
            skipBlanks()
            guard take(":") else { throw error("colon expected after a member name") }
            members[key] = try parseValue()
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw error("comma or end of object expected") }
        }
    }

    private mutating func parseArray() throws(JSON.SyntaxError) -> JSON {
        var elements: [JSON] = []
        skipBlanks()
        if take("]") { return .array(elements) }
        while true {
            elements.append(try parseValue())
            skipBlanks()
            if take("]") { return .array(elements) }
            guard take(",") else { throw error("comma or end of array expected") }
        }
    }

    private mutating func parseWord(_ word: String, _ value: JSON) throws(JSON.SyntaxError) -> JSON {
        guard bytes[position...].starts(with: word.utf8) else { throw error("unexpected character") }
        position += word.utf8.count
        return value
    }

    private mutating func parseNumber() throws(JSON.SyntaxError) -> JSON.Number {
        let start = position
        _ = take("-")
        if !take("0") { try skipDigits("digit expected in a number") }
        if take(".") { try skipDigits("digit expected after the decimal point") }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try skipDigits("digit expected in the exponent")
        }
        return JSON.Number(literal: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func skipDigits(_ complaint: String) throws(JSON.SyntaxError) {
        let start = position
        while let byte = current, byte.isDigit { position += 1 }
        guard position > start else { throw error(complaint) }
    }
}

/// Strings and helpers.
extension JSONParser {
    private mutating func parseString() throws(JSON.SyntaxError) -> String {
        position += 1
        var start = position
        var text = ""
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                text += try validated(start..<position)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += try validated(start..<position)
                position += 1
                text.unicodeScalars.append(try parseEscape())
                start = position
            case 0..<0x20: throw error("unescaped control character in a string")
            default: position += 1
            }
        }
        throw error("unterminated string")
    }

    private func validated(_ range: Range<Int>) throws(JSON.SyntaxError) -> String {
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw error("invalid UTF-8 in a string", at: range.lowerBound)
        }
        return text
    }

    private mutating func parseEscape() throws(JSON.SyntaxError) -> Unicode.Scalar {
        guard let byte = current else { throw error("unterminated string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try parseUnicodeEscape()
        default: throw error("invalid escape", at: position - 1)
        }
    }

    private mutating func parseUnicodeEscape() throws(JSON.SyntaxError) -> Unicode.Scalar {
        let first = try parseHexadecimal()
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        guard bytes[position...].starts(with: "\\u".utf8) else { return "\u{FFFD}" }
        let start = position
        position += 2
        let second = try parseHexadecimal()
        guard (0xDC00...0xDFFF).contains(second) else {
            position = start
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func parseHexadecimal() throws(JSON.SyntaxError) -> UInt32 {
        let end = position + 4
        guard end <= bytes.count, let value: UInt32 = bytes[position..<end].hexadecimalNumber() else {
            throw error("four hexadecimal digits expected")
        }
        position = end
        return value
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = current, byte.isBlank || byte.isLineEnd { position += 1 }
    }

    private func error(_ reason: String, at place: Int? = nil) -> JSON.SyntaxError {
        let place = place ?? position
        let before = bytes[..<place]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let excerpt = bytes[max(0, place - 20)..<min(bytes.count, place + 20)]
        return JSON.SyntaxError(
            reason: reason,
            line: before.count { $0 == 0x0A } + 1,
            column: place - lineStart + 1,
            offset: place,
            excerpt: String(decoding: excerpt, as: UTF8.self).escapedForDisplay
        )
    }
}
