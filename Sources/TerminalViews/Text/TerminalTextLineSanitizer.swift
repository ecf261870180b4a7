extension TerminalText {
    /// Sanitizes text for a terminal incrementally, in constant memory.
    ///
    /// Each control character becomes its Unicode picture (`␛`), line feeds and tabs are kept, directional formatting characters and
    /// invalid UTF-8 become `\u{FFFD}`, and at most fifteen combining marks are kept for each letter. The result is the same for any split
    /// of the bytes.
    public struct LineSanitizer: Sendable {
        /// Whether all bytes so far were valid UTF-8.
        public private(set) var isText = true
        /// The start of a character, or a carriage return that a line feed may follow.
        private var held: [UInt8] = []
        private var marks = 0

        /// Creates a sanitizer at the start of a text.
        public init() {}

        /// Returns the sanitized text of these bytes, as UTF-8. O(n).
        public mutating func feed(_ bytes: [UInt8]) -> [UInt8] {
            let bytes = held.isEmpty ? bytes : held + bytes
            held = []
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            var index = 0
            while index < bytes.count {
                var end = index
                while end < bytes.count, Self.isHarmless(bytes[end]) { end += 1 }
                if end > index {
                    result += bytes[index..<end]
                    marks = 0
                    index = end
                } else if let length = replaceFirst(of: bytes[index...], into: &result) {
                    index += length
                } else {
                    held = Array(bytes[index...])
                    break
                }
            }
            return result
        }

        /// Returns the sanitized text of the buffered bytes at the end of the text.
        public mutating func finish() -> [UInt8] {
            guard let first = held.first else { return [] }
            held = []
            guard first != 0x0D else { return Self.space }
            isText = false
            return Self.replacement
        }

        private static func isHarmless(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x09 }

        /// Takes the first character of the bytes.
        /// - Returns: its length; `nil` if it is incomplete.
        private mutating func replaceFirst(of bytes: ArraySlice<UInt8>, into result: inout [UInt8]) -> Int? {
            let first = bytes[bytes.startIndex]
            guard first < 0x80 else { return takeScalar(of: bytes, into: &result) }
            marks = 0
            switch first {
            case 0x0D:
                guard bytes.count > 1 else { return nil }
                if bytes[bytes.startIndex + 1] != 0x0A { result += Self.space }
            case 0x0B, 0x0C: result += Self.space
            // The pictures of the control characters begin at U+2400.
            case 0x7F: result += [0xE2, 0x90, 0xA1]
            default: result += [0xE2, 0x90, 0x80 + first]
            }
            return 1
        }

        private mutating func takeScalar(of bytes: ArraySlice<UInt8>, into result: inout [UInt8]) -> Int? {
            let length = Self.length(after: bytes[bytes.startIndex])
            let following = bytes.dropFirst().prefix(length - 1)
            let isContinued = following.allSatisfy { $0 & 0xC0 == 0x80 }
            if isContinued, length > 1, following.count < length - 1 { return nil }
            guard isContinued, let scalar = Self.scalar(bytes.prefix(length)) else {
                isText = false
                marks = 0
                result += Self.replacement
                return 1
            }
            put(scalar, written: bytes.prefix(length), into: &result)
            return length
        }

        private mutating func put(_ scalar: Unicode.Scalar, written bytes: ArraySlice<UInt8>, into result: inout [UInt8]) {
            let isMark = scalar.value >= 0x300 && scalar.properties.isGraphemeExtend
            marks = isMark ? marks + 1 : 0
            guard marks <= Self.mostMarks else { return }
            let visible = TerminalText.visible(scalar)
            if visible == Character(scalar) { result += bytes } else { result += String(visible).utf8 }
        }

        /// Returns the length of the character that begins with this byte; 1 if it is invalid.
        private static func length(after first: UInt8) -> Int {
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        }

        /// Returns the character; `nil` for an overlong encoding and for a surrogate.
        private static func scalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
            guard bytes.count > 1, let first = bytes.first else { return nil }
            let start = UInt32(first) & (0x7F >> UInt32(bytes.count))
            let value = bytes.dropFirst().reduce(start) { $0 << 6 | UInt32($1 & 0x3F) }
            let least: [UInt32] = [0x80, 0x800, 0x10000]
            return value >= least[bytes.count - 2] ? Unicode.Scalar(value) : nil
        }

        /// The maximum number of marks, as in ``TerminalText/sanitized(_:)``.
        private static let mostMarks = 15
        private static let space: [UInt8] = [0x20]
        private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
    }
}
