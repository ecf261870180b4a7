import Foundation

/// The separator between a name and its value.
extension SecretScanner {
    enum SeparatorKind { case colon, equals, arrow }

    struct Separator {
        let kind: SeparatorKind
        /// The first possible position of the value.
        let end: Int
        /// Whether a quote or bracket precedes it.
        let hasClosers: Bool
    }

    /// Returns the separator after a name that ends at `place`.
    func separator(from place: Int) -> Separator? {
        var index = place
        while index < input.count, index < place + 4, "\"'\\]".utf8.contains(input[index]) { index += 1 }
        let hasClosers = index > place
        let nameEnd = index
        index = afterBlanks(index)
        guard index < input.count else { return nil }
        // Only JSON and attributes continue beyond the end of a line.
        if input[nameEnd..<index].contains(where: \.isLineEnd) {
            let isAttribute = input[index] == UInt8(ascii: "=") && quote(at: afterBlanks(index + 1))
            guard isAttribute || (hasClosers || isInsideBraces) && input[index] == UInt8(ascii: ":") else { return nil }
        }
        let following = index + 1 < input.count ? input[index + 1] : 0
        switch input[index] {
        case UInt8(ascii: "=") where following == UInt8(ascii: ">"): return Separator(kind: .arrow, end: index + 2, hasClosers: hasClosers)
        case UInt8(ascii: "="): return Separator(kind: .equals, end: index + 1, hasClosers: hasClosers)
        case UInt8(ascii: ":"): return Separator(kind: .colon, end: index + 1, hasClosers: hasClosers)
        default: return nil
        }
    }
}

/// Blanks between a name and its value.
extension SecretScanner {
    /// Returns the first position from `start` that is neither a blank nor a line end, nor the beginning of a further line of an event.
    private func afterBlanks(_ start: Int) -> Int {
        var index = start
        while index < input.count, input[index].isBlank || input[index].isLineEnd {
            index += 1
            if input[index - 1].isLineEnd, input[index...].starts(with: "data:".utf8) { index += 5 }
        }
        return index
    }

    private func quote(at index: Int) -> Bool { index < input.count && "\"'".utf8.contains(input[index]) }
}

/// The replacement of a value.
extension SecretScanner {
    /// Redacts the value that begins here, of the name that begins at `start`.
    mutating func hideValue(after kind: SeparatorKind, ofName start: Int, isQuotedName: Bool) {
        let next = afterBlanks(position)
        let isFurther = isQuotedName || isInsideBraces || (kind == .equals && quote(at: next))
        while let byte = peek(), isFurther ? position < next : byte.isBlank { copy(1) }
        guard let first = peek(), !hidePEM(isSecret: true) else { return }
        if kind == .colon, !isInsideBraces, !"{[".utf8.contains(first), let end = blockEnd(ofName: start) {
            hide(Array(input[position..<end]))
            position = end
            return
        }
        let isHeader = kind == .colon && !isQuotedName && !isInsideBraces
        switch first {
        case UInt8(ascii: "\"") where !isHeader || stringContent(from: position) == nil: hideString()
        case UInt8(ascii: "'") where !isHeader: hideString()
        case UInt8(ascii: "{") where kind != .equals && !isHeader, UInt8(ascii: "[") where kind != .equals && !isHeader: hideBracketed()
        default:
            switch kind {
            case .equals: hideRun(isLiteral: false) { $0 == UInt8(ascii: "&") || $0.isLineEnd }
            case .colon, .arrow:
                let endsAtComma = isQuotedName || isInsideBraces
                hideRun(isLiteral: !isHeader) { $0.isLineEnd || (endsAtComma && ",}]".utf8.contains($0)) }
            }
        }
    }

    /// Redacts a string, to the end of the text if it is not closed. Three quotes are one.
    private mutating func hideString() {
        let quote = input[position]
        let isLong = peek(1) == quote && peek(2) == quote
        let start = position + (isLong ? 2 : 0)
        guard let content = stringContent(from: start, acrossLines: true) else {
            hide(Array(input[position...]))
            position = input.endIndex
            return
        }
        hide(Self.unescaped(input[content]), as: [quote] + Self.mark + [quote])
        position = content.upperBound + 1
        while isLong, peek() == quote { position += 1 }
    }

    /// Redacts everything before the first terminating byte.
    private mutating func hideRun(isLiteral: Bool = true, until isEnd: (UInt8) -> Bool) {
        let start = position
        while let byte = peek(), !isEnd(byte) { position += 1 }
        let value = Array(input[start..<position])
        if isLiteral { hideLiteral(value) } else if !value.isEmpty { hide(value) }
    }

    /// Replaces numbers by 0 and keeps literals that cannot be secret, so that the result can be decoded.
    private mutating func hideLiteral(_ value: [UInt8]) {
        let plain = value.trimmingBlanks
        guard !plain.isEmpty else { return output += value }
        if ["true", "false", "null"].contains(String(decoding: plain, as: UTF8.self)) { return output += value }
        hide(Array(plain), as: plain.isNumber ? [UInt8(ascii: "0")] : Self.mark)
    }

    /// Redacts everything in an object or an array but its structure and its names.
    private mutating func hideBracketed() {
        var level = 0
        repeat {
            guard let byte = peek() else { return }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                level += 1
                copy(1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                level -= 1
                copy(1)
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09: copy(1)
            case 0x0A, 0x0D:
                copy(1)
                if input[position...].starts(with: "data:".utf8) { copy(5) }
            case UInt8(ascii: "\""):
                if let content = stringContent(from: position), separator(from: content.upperBound + 1) != nil {
                    copy(content.upperBound + 1 - position)
                } else {
                    hideString()
                }
            default: hideRun { ",:{}[]\"\r\n".utf8.contains($0) }
            }
        } while level > 0
    }
}

/// Strings of JSON.
extension SecretScanner {
    /// Returns the content of a string with its valid escapes resolved.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "\\")) else { return Array(bytes) }
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        if let text = try? JSON(parsing: Data(quoted)).string { return Array(text.utf8) }
        var result: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
                continue
            }
            result.append(byte)
            isEscaped = false
        }
        return result
    }

    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
            case ..<0x20: Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: [byte]
            }
        }
    }
}

extension UInt8 {
    /// Whether it may be part of a name.
    var isWordByte: Bool {
        isAlphanumeric || self >= 0x80 || "_-.%$+~".utf8.contains(self)
    }

    var isLineEnd: Bool { self == 0x0A || self == 0x0D }
}

extension Collection<UInt8> {
    /// Whether it resembles a number: anything after the first digit is irrelevant for a secret.
    fileprivate var isNumber: Bool {
        allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
    }

    /// Whether it has the form `header.payload.signature` of a JSON Web Token.
    ///
    /// Source: [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519).
    var isWebToken: Bool { starts(with: "eyJ".utf8) && count { $0 == UInt8(ascii: ".") } >= 2 }
}

extension [UInt8] {
    var trimmingBlanks: ArraySlice<UInt8> {
        drop { $0.isBlank }.reversed().drop { $0.isBlank }.reversed()[...]
    }

    /// Returns the first range of `bytes` at or after `start`.
    func firstRange(of bytes: [UInt8], from start: Int) -> Int? {
        guard let first = bytes.first, start < count else { return nil }
        var index = start
        while let next = self[index...].firstIndex(of: first) {
            if self[next...].starts(with: bytes) { return next }
            index = next + 1
        }
        return nil
    }
}
