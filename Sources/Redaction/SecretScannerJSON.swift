internal import Bytes

/// Parts of a text that are JSON beyond doubt.
extension SecretScanner {
    /// Whether the rules of JSON say where strings begin and end here.
    var isInJSON: Bool { position < json.end }

    /// Notes the JSON that begins here, if a line begins with it, and it ends with a line or the text ends in the middle of it.
    mutating func enterJSON() {
        guard position >= json.next, beginsLine(position) else { return }
        switch JSONExtent(of: input, from: position) {
        case .ended(let end):
            json.next = end
            let next = input[end...].first { !$0.isBlank }
            if next.map(\.isLineEnd) ?? true { json.end = end }
        case .cut(let end): json = (end, input.endIndex)
        // What is open at the mistake has the same mistake.
        case .broken(let place): json.next = place
        }
    }

    /// Whether only blanks, or the name of an event's field, precede the place in its line.
    private func beginsLine(_ place: Int) -> Bool {
        let line = input[..<place].reversed().prefix { !$0.isLineEnd && ($0.isBlank || "data:\u{FEFF}".utf8.contains($0)) }
        let start = line.endIndex.base
        guard start == 0 || input[start - 1].isLineEnd else { return false }
        let field = Array(input[start..<place]).trimmingBlanks
        return field.isEmpty || field.elementsEqual("data:".utf8) || field.elementsEqual("\u{FEFF}".utf8)
    }
}

/// How far a text is JSON.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
enum JSONExtent: Equatable {
    /// One object or array ends before this place.
    case ended(Int)
    /// The text ends before the value does; a string that it does not close begins at this place.
    case cut(Int)
    /// The byte at this place cannot follow.
    case broken(Int)

    private enum Expectation { case value, valueOrEnd, name, nameOrEnd, colon, next }

    /// Reads the value that begins at `start`, without recursion. Numbers and words are accepted in any spelling.
    init(of input: [UInt8], from start: Int) {
        var index = start
        var isObject: [Bool] = []
        var expected = Expectation.value
        while index < input.count {
            let byte = input[index]
            if byte.isBlank || byte.isLineEnd {
                index += 1
                continue
            }
            switch (byte, expected) {
            case (UInt8(ascii: "\""), _) where expected != .colon && expected != .next:
                guard let end = Self.stringEnd(input, from: index + 1) else {
                    self = .cut(index)
                    return
                }
                guard input[end] == UInt8(ascii: "\"") else {
                    self = .broken(end)
                    return
                }
                index = end
                expected = expected == .name || expected == .nameOrEnd ? .colon : .next
            case (UInt8(ascii: ":"), .colon): expected = .value
            case (UInt8(ascii: ","), .next): expected = isObject.last == true ? .name : .value
            case (UInt8(ascii: "{"), .value), (UInt8(ascii: "{"), .valueOrEnd):
                isObject.append(true)
                expected = .nameOrEnd
            case (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd):
                isObject.append(false)
                expected = .valueOrEnd
            case (UInt8(ascii: "}"), .nameOrEnd),
                (UInt8(ascii: "}"), .next) where isObject.last == true,
                (UInt8(ascii: "]"), .valueOrEnd),
                (UInt8(ascii: "]"), .next) where isObject.last == false:
                isObject.removeLast()
                expected = .next
                if isObject.isEmpty {
                    self = .ended(index + 1)
                    return
                }
            case (_, .value) where byte.isLiteral, (_, .valueOrEnd) where byte.isLiteral:
                while index + 1 < input.count, input[index + 1].isLiteral { index += 1 }
                expected = .next
            default:
                self = .broken(index)
                return
            }
            index += 1
        }
        self = .cut(input.count)
    }

    /// Returns the place of the closing quote, or of a byte that no string contains; `nil` if the text ends before.
    private static func stringEnd(_ input: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < input.count {
            switch input[index] {
            case UInt8(ascii: "\""), ..<0x20: return index
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }
}

extension UInt8 {
    /// Whether the byte may be part of a number or of `true`, `false`, `null`.
    fileprivate var isLiteral: Bool { isAlphanumeric || "+-.".utf8.contains(self) }
}
