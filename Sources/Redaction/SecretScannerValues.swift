internal import Bytes
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
        while index < input.count, index < place + 12 {
            if "\"'\\]".utf8.contains(input[index]) {
                index += 1
            } else if input[index] == UInt8(ascii: "&"), let quote = Self.quotes.first(where: { input[index...].starts(with: $0) }) {
                index += quote.count
            } else {
                break
            }
        }
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

    /// Quotes as they appear in text of XML and HTML.
    private static let quotes = ["&quot;", "&#34;", "&apos;", "&#39;"].map { Array($0.utf8) }

    /// Returns the first position from `start` that is neither a blank nor a line end, nor the beginning of a further line of an event.
    func afterBlanks(_ start: Int) -> Int {
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
        while peek()?.isBlank == true { copy(1) }
        let first = position
        valueStart = first
        hideValue(kind, start, isQuotedName)
        let isClosed = position > first + 1 && "\"'}]".utf8.contains(input[position - 1]) && "\"'{[".utf8.contains(input[first])
        openValue = isClosed ? nil : (position, position == first)
    }

    private mutating func hideValue(_ kind: SeparatorKind, _ start: Int, _ isQuotedName: Bool) {
        if kind == .colon, !isInJSON, mayBeBlock(isQuotedName), let end = blockEnd(ofName: start) {
            hide(Array(input[position..<end]))
            position = end
            return
        }
        let next = afterBlanks(position)
        if isQuotedName || isInsideBraces || (kind == .equals && quote(at: next)) { copy(next - position) }
        guard let first = peek(), !hidePEM(isSecret: true) else { return }
        let isHeader = kind == .colon && !isQuotedName && !isClosedOnLine()
        switch first {
        case UInt8(ascii: "\"") where !isHeader || stringContent(from: position) == nil: hideString()
        case UInt8(ascii: "'") where !isHeader || stringContent(from: position) == nil: hideString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isText = isHeader || kind == .equals
            if isText, bracketsAreClosedOnLine { hideLine(isForm: kind == .equals) } else { hideBracketed() }
        default:
            if kind == .equals || isHeader { hideLine(isForm: kind == .equals) } else { hideElement(kind) }
        }
    }

    /// Whether a block of YAML may begin here: in JSON there is none.
    private func mayBeBlock(_ isQuotedName: Bool) -> Bool {
        guard isQuotedName, let first = peek() else { return true }
        return "|>".utf8.contains(first) || !isInsideBraces && !"{[".utf8.contains(first)
    }

    /// Whether a brace that is open here is closed in this line, as in `{password: x, user: y}`.
    private mutating func isClosedOnLine() -> Bool {
        guard isInsideBraces else { return false }
        // Each line is searched once.
        if position < knownLine.start || position >= knownLine.end {
            knownLine.start = position
            knownLine.end = lineEnd(from: position)
            knownLine.lastBrace = input[position..<knownLine.end].lastIndex(of: UInt8(ascii: "}")) ?? 0
        }
        return knownLine.lastBrace > position
    }

    /// Whether each bracket of the value that begins here is closed in this line.
    private var bracketsAreClosedOnLine: Bool {
        var level = 0
        for byte in restOfLine {
            if "{[".utf8.contains(byte) { level += 1 }
            if "}]".utf8.contains(byte) { level -= 1 }
            if level == 0 { return true }
        }
        return false
    }

    private var restOfLine: ArraySlice<UInt8> { input[position...].prefix { !$0.isLineEnd } }

    /// Redacts a string, up to the end of the text if it is not closed. Three quotes count as one. Outside of JSON, what follows the
    /// closing quote without a blank belongs to the value, as in `'it'\''s'` and `"a""b"`.
    mutating func hideString() {
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
        let end = position
        while !isInJSON, let byte = peek(), byte.isWordByte || "\"'\\".utf8.contains(byte) {
            if "\"'".utf8.contains(byte) { position = stringContent(from: position, acrossLines: true)?.upperBound ?? input.endIndex }
            position = min(position + (byte == UInt8(ascii: "\\") ? 2 : 1), input.endIndex)
        }
        if position > end { hide(Array(input[end..<position]), as: []) }
    }

    /// Redacts the rest of the line, and the next line if a backslash continues it; in a form, redacts only one field.
    private mutating func hideLine(isForm: Bool) {
        var end = position
        while end < input.endIndex, !(isForm && endsField(at: end)) {
            if input[end].isLineEnd, !isContinued(at: end) { break }
            end += 1
        }
        hideRun(to: end, isLiteral: !isForm)
    }

    /// Whether an ampersand here ends a field of a form: another field follows, or none.
    private func endsField(at place: Int) -> Bool {
        guard input[place] == UInt8(ascii: "&") else { return false }
        var index = place + (input[place...].starts(with: "&amp;".utf8) ? 5 : 1)
        let start = index
        while index < input.endIndex, input[index].isWordByte || "[]".utf8.contains(input[index]) { index += 1 }
        guard index < input.endIndex, !input[index].isLineEnd else { return index == start }
        return index > start ? input[index] == UInt8(ascii: "=") : input[index] == UInt8(ascii: "&")
    }

    /// Whether a backslash precedes the end of a line here.
    private func isContinued(at end: Int) -> Bool {
        guard end > position else { return false }
        let isPair = input[end] == 0x0A && input[end - 1] == 0x0D && end - 1 > position
        return input[end - (isPair ? 2 : 1)] == UInt8(ascii: "\\")
    }

    /// Redacts an unquoted value of an object: up to a comma or a bracket after which another member follows, or up to the object's end.
    private mutating func hideElement(_ kind: SeparatorKind) {
        var end = position
        while end < input.endIndex, !input[end].isLineEnd {
            if ",}]".utf8.contains(input[end]), endsElement(at: end, kind) { break }
            end += 1
        }
        hideRun(to: end)
    }

    /// Returns whether the comma or the bracket here belongs to the structure, and not to a value.
    private func endsElement(at place: Int, _ kind: SeparatorKind) -> Bool {
        var index = afterBlanks(place + 1)
        guard index < input.count, !input[place..<index].contains(where: \.isLineEnd) else { return true }
        if input[place] != UInt8(ascii: ",") { return ",}]\"'<&".utf8.contains(input[index]) }
        if "{[}]".utf8.contains(input[index]) { return true }
        if quote(at: index) { return true }
        while index < input.count, input[index].isWordByte { index += 1 }
        return separator(from: index)?.kind == kind
    }

    /// Redacts everything before `end`.
    private mutating func hideRun(to end: Int, isLiteral: Bool = true) {
        let value = Array(input[position..<end])
        position = end
        if isLiteral { hideLiteral(value) } else if !value.isEmpty { hide(value) }
    }

    /// Replaces numbers by 0 and keeps literals that cannot be secret, so that the result can be decoded.
    private mutating func hideLiteral(_ value: [UInt8]) {
        let plain = value.trimmingBlanks
        guard !plain.isEmpty else { return output += value }
        if ["true", "false", "null"].contains(String(decoding: plain, as: UTF8.self)) { return output += value }
        hide(Array(plain), as: plain.isNumber ? [UInt8(ascii: "0")] : Self.mark)
    }

    /// Redacts everything in an object or an array except its structure and its names.
    mutating func hideBracketed() {
        var level = 0
        // The last byte that is no blank: only a brace or a comma precedes a name.
        var last: UInt8 = 0
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
                if "{,".utf8.contains(last), let content = stringContent(from: position), separator(from: content.upperBound + 1) != nil,
                    isInJSON || !input[content].contains(UInt8(ascii: "\\"))
                {
                    copy(content.upperBound + 1 - position)
                } else {
                    hideString()
                }
            case UInt8(ascii: "'") where stringContent(from: position) != nil: hideString()
            default: hideRun(to: input[position...].firstIndex { ",:{}[]\"\r\n".utf8.contains($0) } ?? input.endIndex)
            }
            if !byte.isBlank, !byte.isLineEnd { last = byte }
        } while level > 0
    }
}
